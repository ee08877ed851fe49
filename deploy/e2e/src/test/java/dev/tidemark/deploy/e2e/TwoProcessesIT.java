package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.deploy.stack.Role;

import static org.assertj.core.api.Assertions.assertThat;

/** One data directory is for one process. */
@ExtendWith(SharedStack.class)
class TwoProcessesIT {
    private final StackUnderTest stack;

    @TempDir
    private Path directory = Path.of("");

    TwoProcessesIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @ParameterizedTest
    @EnumSource(
            value = Role.class,
            names = {"WRITER", "WORKER"})
    void secondOneRefusesWithOneClearSentence(Role role) throws Exception {
        List<String> command = stack.child(role).spec().command().stream()
                .map(word -> word.startsWith("http.port=") ? "http.port=0" : word)
                .toList();
        Path errors = directory.resolve("stderr");
        Process second = new ProcessBuilder(command)
                .redirectOutput(directory.resolve("stdout").toFile())
                .redirectError(errors.toFile())
                .start();
        try {
            assertThat(second.waitFor(30, TimeUnit.SECONDS)).as("it ends").isTrue();
            assertThat(second.exitValue()).isEqualTo(1);
            requireOneSentence(role, errors);
        } finally {
            second.destroyForcibly();
        }
        assertThat(stack.child(role).isAlive()).isTrue();
        assertThat(stack.stack().isReady(role)).isTrue();
    }

    private void requireOneSentence(Role role, Path errors) throws IOException {
        List<String> lines = Files.readAllLines(errors);
        assertThat(lines).noneMatch(line -> line.contains("Exception") || line.startsWith("\tat "));
        assertThat(lines)
                .filteredOn(line -> line.startsWith(role.label() + ": "))
                .hasSize(1);
        assertThat(lines.get(lines.size() - 1))
                .startsWith(role.label() + ": ")
                .contains(stack.dataOf(role).toString());
    }
}
