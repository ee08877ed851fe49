package dev.tidemark.deploy.cli;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

class BackupCommandTest {
    @TempDir
    private Path directory = Path.of("");

    private final CannedServices services = new CannedServices();
    private final Terminals.Recorded screen = Terminals.Recorded.pipe();
    private final List<Runnable> atExit = new ArrayList<>();

    @Test
    void leavesNothingBehindWhenItIsInterrupted() {
        services.meanwhile = () -> {
            make("made-" + services.asked.size());
            if (services.asked.size() == 2) {
                assertThat(directory.resolve("backup/worker/facts/CURRENT")).hasContent("rows");
                atExit.forEach(Runnable::run);
                assertThat(directory).isDirectoryContaining(path -> path.endsWith("made-2"));
            }
        };

        assertThat(run("backup", "--to", directory.resolve("backup").toString()))
                .isNotZero();

        assertThat(services.asked).hasSize(2);
        assertThat(directory).isEmptyDirectory();
        String name = services.asked.get(1).replaceFirst(".*name=", "");
        assertThat(screen.err()).contains("may still finish a copy " + name + " in backups of its data directory");
    }

    @Test
    void keepsACompleteOneWhenTheProcessEnds() {
        services.meanwhile = () -> make("made-" + services.asked.size());

        assertThat(run("backup", "--to", directory.resolve("backup").toString()))
                .isZero();
        atExit.forEach(Runnable::run);

        assertThat(directory.resolve("backup/manifest")).exists();
        assertThat(directory).isDirectoryNotContaining("glob:**/made-*");
        assertThat(screen.err()).isEmpty();
    }

    @Test
    void namesTheCopyOfAServiceWhoseAnswerIsLost() {
        services.lost = true;

        assertThat(run("backup", "--to", directory.resolve("backup").toString()))
                .isEqualTo(1);

        String name = services.asked.get(0).replaceFirst(".*name=", "");
        assertThat(screen.err())
                .contains("broke off. If the worker made a copy " + name + " in backups of its data directory");
        assertThat(directory).isEmptyDirectory();
    }

    /** Makes the copy that the service answers with. */
    private void make(String name) {
        try {
            Path made = Files.createDirectories(directory.resolve(name + "/facts"));
            Files.writeString(made.resolve("CURRENT"), "rows");
            services.answer = "{\"path\":\"" + made.getParent() + "\"}";
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private int run(String... arguments) {
        CommandContext context = new CommandContext(services, url -> false, screen.terminal(), atExit::add);
        return Tidemark.commandLine(context, List.of(), List.of()).execute(arguments);
    }
}
