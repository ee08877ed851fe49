package dev.tidemark.deploy.chaos;

import java.io.IOException;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import dev.tidemark.deploy.text.Terminals;

import static org.assertj.core.api.Assertions.assertThat;

/** What is wrong with the options of a drill is said before anything is started, and Ctrl-C leaves nothing behind. */
class DrillCommandTest {
    /** For command lines that run no drill. */
    private DrillCommand.Drilling drilling = (plan, stack, clock, listener) -> {
        throw new AssertionError("nothing should be started");
    };

    private final List<Runnable> atExit = new ArrayList<>();
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

    @Test
    void anInterruptedDrillHasLeftItsSurroundingsBeforeTheProcessEnds(@TempDir Path directory) throws Exception {
        AtomicInteger left = new AtomicInteger();
        CompletableFuture<Integer> leftAtTheEnd = new CompletableFuture<>();
        drilling = (plan, stack, clock, listener) -> {
            try (Surroundings around = left::incrementAndGet) {
                CompletableFuture<Integer> unused = leftAtTheEnd.completeAsync(() -> {
                    atExit.forEach(Runnable::run);
                    return left.get();
                });
                boolean over = new CountDownLatch(1).await(10, TimeUnit.SECONDS);
                throw new AssertionError("expected an interruption in " + around + ", but got " + over);
            }
        };

        assertThat(run("--data", directory.toString())).isEqualTo(CommandLine.ExitCode.SOFTWARE);

        assertThat(leftAtTheEnd.get(10, TimeUnit.SECONDS)).isEqualTo(1);
        assertThat(screen.err()).doesNotContain("did not end in time");
    }

    /** What a drill mounts and links. */
    private interface Surroundings extends AutoCloseable {
        @Override
        void close();
    }

    private int run(String... arguments) {
        CommandLine command = new CommandLine(new DrillCommand(drilling, screen.terminal(), atExit::add))
                .setErr(new PrintWriter(screen.terminal().err(), true, StandardCharsets.UTF_8));
        return command.execute(arguments);
    }
}
