package dev.tidemark.deploy.chaos;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import dev.tidemark.deploy.drill.Drill.DrillTools;
import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

/** What is wrong with the options of a drill is said before anything is started. */
class DrillCommandTest {
    /** For command lines that run no drill. */
    private static final DrillTools NO_DRILLS = new DrillTools(
            url -> {
                throw new AssertionError("nobody should ask");
            },
            (url, patience) -> {
                throw new AssertionError("nobody should ask");
            },
            brokers -> {
                throw new AssertionError("nobody should ask");
            });

    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @Test
    void aKindOfFaultThatIsNotKnownIsNamedBesideThoseThatAre() {
        assertThat(run("--faults", "kill,fire")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(screen.err()).contains("fire").contains("rebalance");
    }

    @Test
    void aNumberOfRoundsOrMinutesThatIsNotPositiveIsRefused() {
        assertThat(run("--rounds", "0")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(run("--minutes", "-1")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(screen.err()).contains("at least one round").contains("positive number of minutes");
    }

    @Test
    void aFaultOfAStoreThatTheStackDoesNotHaveIsRefused() {
        assertThat(run("--faults", "kill,postgres")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(run("--faults", "unreadable", "--facts", "postgresql")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(run("--facts", "mysql")).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(screen.err())
                .contains("expected --facts postgresql for the fault postgres")
                .contains("expected --facts rocksdb for the fault unreadable")
                .contains("expected --facts rocksdb or postgresql, but got mysql");
    }

    @Test
    void aDirectoryThatIsNotEmptyIsLeftAlone(@TempDir Path directory) throws IOException {
        Path file = Files.writeString(directory.resolve("mine"), "x");
        assertThat(run("--data", directory.toString())).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(file).hasContent("x");
        assertThat(screen.err()).contains("empty directory");
    }

    private int run(String... arguments) {
        CommandLine command = new CommandLine(new DrillCommand(NO_DRILLS, screen.terminal()))
                .setErr(new PrintWriter(screen.terminal().err(), true, StandardCharsets.UTF_8));
        return command.execute(arguments);
    }
}
