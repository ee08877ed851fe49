package dev.tidemark.source;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.Agent;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.CloseableStack;
import dev.tidemark.runtime.ServiceProcess;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.source.cli.ProgressLines;
import dev.tidemark.source.feed.Follower;

import static org.assertj.core.api.Assertions.assertThat;

/** A source that cannot go on ends with the exit code by which its supervisor knows what to do. */
@Tag("slow")
class EndedSourceTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({
        "changes are lost, 1",
        "a record lacks a column, 2",
        "another process has moved the position, 75",
        "an error ended the thread, 74"
    })
    void theExitCodeSaysWhetherToStartItAgain(String mishap, int code) throws IOException, InterruptedException {
        Path said = directory.resolve("said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        OneSource.class.getName(),
                        mishap,
                        Integer.toString(code))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS))
                    .as("it ends")
                    .isTrue();
        } finally {
            process.destroyForcibly();
        }
        assertThat(Files.readString(said)).contains(mishap);
        assertThat(process.exitValue()).isEqualTo(code);
    }

    /** A process with a follower that ends, or whose thread does. */
    static final class OneSource {
        private OneSource() {}

        public static void main(String[] arguments) {
            String mishap = arguments[0];
            boolean dies = mishap.contains("thread");
            Clock clock = new SteadyClock();
            CloseableStack parts = new CloseableStack();
            Agent follower = Agent.resting("source", () -> {
                if (dies) {
                    throw new AssertionError(mishap);
                }
            });
            parts.add(AgentRunner.start(follower, Duration.ofMillis(10)), Duration.ofSeconds(3));
            Follower.Ending ending = new Follower.Ending(Integer.parseInt(arguments[1]), mishap);
            SourceMain.giveUp(
                    () -> dies ? Optional.empty() : Optional.of(ending),
                    new ProgressLines(Terminal.ofProcess(Map.of()), false, clock),
                    clock,
                    parts);
            ServiceProcess.runUntilStopped(parts);
        }
    }
}
