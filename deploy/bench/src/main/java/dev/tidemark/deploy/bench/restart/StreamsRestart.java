package dev.tidemark.deploy.bench.restart;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.stack.LogTail;

/** The application on Kafka Streams, killed and started again. It ends when its standard input does. */
final class StreamsRestart implements Contender {
    private static final long PATIENCE_MINUTES = 10;
    private static final int LINES = 8;

    private final Function<String, List<String>> command;
    private final Path log;
    private final Clock clock;
    private Process process;

    private StreamsRestart(Function<String, List<String>> command, Path log, Clock clock) throws IOException {
        this.command = command;
        this.log = log;
        this.clock = clock;
        this.process = start("fill");
    }

    /**
     * Starts it, and comes back when its index is full and can be read.
     *
     * @param command gives the command of a mode
     * @param log what it complains of
     */
    static StreamsRestart fill(Function<String, List<String>> command, Path log, Clock clock)
            throws BenchException, IOException, InterruptedException {
        StreamsRestart contender = new StreamsRestart(command, log, clock);
        try {
            contender.awaitOpen();
            return contender;
        } catch (BenchException | IOException | RuntimeException e) {
            contender.close();
            throw e;
        }
    }

    @Override
    public String name() {
        return "Kafka Streams";
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        process.toHandle().destroyForcibly();
        process.waitFor();
        Instant began = clock.instant();
        process = start("serve");
        awaitOpen();
        return Map.of(Figure.RESTART, Duration.between(began, clock.instant()).toNanos() / 1e9);
    }

    @Override
    public void close() {
        process.destroyForcibly();
    }

    private Process start(String mode) throws IOException {
        return new ProcessBuilder(command.apply(mode))
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
    }

    private void awaitOpen() throws BenchException, IOException {
        Process current = process;
        // One that hangs is ended, and then the line is missing.
        CompletableFuture<Boolean> guard = current.onExit()
                .orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
                .handle((ended, late) -> current.isAlive() && current.toHandle().destroyForcibly());
        BufferedReader answers = current.inputReader();
        if (answers.readLine() == null) {
            throw new BenchException(
                    "Kafka Streams did not come up; the end of what it said:\n" + LogTail.lastLines(log, LINES));
        }
        guard.cancel(false);
    }
}
