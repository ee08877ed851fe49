package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

final class CompletionCommandTest {
    /** Gives the words to the function as bash does when the last of them is to be completed. */
    private static final String COMPLETE = """
            source "$1"
            COMP_WORDS=("${@:2}")
            COMP_CWORD=$(($# - 2))
            COMP_LINE="${*:2}"
            _complete_tidemark 2> /dev/null
            echo "${COMPREPLY[*]}"
            """;

    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @TempDir
    Path directory;

    @ParameterizedTest
    @CsvSource({
        "tidemark qu, query",
        "tidemark query --max, --max-staleness",
        "tidemark query --order d, desc",
        "tidemark index ro, rollback",
        "tidemark index pause --wo, --worker",
        "tidemark writer --pri, --print-config",
        "tidemark completion z, zsh"
    })
    void bashCompletesCommandsOptionsAndValues(String words, String completion) throws Exception {
        assertThat(completed("bash", words.split(" ", -1))).isEqualTo(completion);
    }

    @Test
    void zshLoadsTheSameScriptForTheCommand() {
        print("zsh");

        assertThat(screen.out())
                .startsWith("#compdef tidemark\n")
                .contains("function _complete_tidemark()")
                .contains("_bash_complete -o default -F _complete_tidemark");
    }

    @Test
    void refusesAShellThatItDoesNotKnow() {
        assertThat(print("fish")).isEqualTo(2);
        assertThat(screen.err()).contains("bash", "zsh");
    }

    private String completed(String shell, String... words) throws IOException, InterruptedException {
        assertThat(print(shell)).isZero();
        Path script = Files.writeString(directory.resolve("script"), screen.out());
        ProcessBuilder bash = new ProcessBuilder("bash", "-c", COMPLETE, "bash", script.toString());
        bash.command().addAll(List.of(words));
        Process process = bash.redirectErrorStream(true).start();
        try {
            String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();
            return output.strip();
        } finally {
            process.destroyForcibly();
        }
    }

    private int print(String shell) {
        return TidemarkTest.commandLine(new CannedServices(), screen, List.of()).execute("completion", shell);
    }
}
