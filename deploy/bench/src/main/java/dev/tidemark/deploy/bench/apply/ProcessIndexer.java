package dev.tidemark.deploy.bench.apply;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.stack.LogTail;

/** A follower in a separate process, which prints the nanoseconds that it took. */
public final class ProcessIndexer implements TopicIndexer {
    private static final long PATIENCE_MINUTES = 10;
    private static final int LINES = 8;

    private final long changes;
    private final Clock clock;
    private final Function<Path, List<String>> command;

    /**
     * A follower.
     *
     * @param changes in the topic
     * @param command gives the command for a directory
     */
    public ProcessIndexer(long changes, Clock clock, Function<Path, List<String>> command) {
        this.changes = changes;
        this.clock = clock;
        this.command = command;
    }

    @Override
    public Followed follow(Path scratch) throws BenchException, IOException, InterruptedException {
        Path log = scratch.resolveSibling(scratch.getFileName() + ".log");
        Instant started = clock.instant();
        Process process = new ProcessBuilder(command.apply(scratch))
                .redirectError(log.toFile())
                .start();
        // A process that hangs is ended, and then the line is missing.
        CompletableFuture<Boolean> guard = process.onExit()
                .orTimeout(PATIENCE_MINUTES, TimeUnit.MINUTES)
                .handle((ended, late) -> process.isAlive() && process.toHandle().destroy());
        try (BufferedReader answers = process.inputReader()) {
            String line = answers.readLine();
            if (line == null) {
                throw new BenchException(
                        "a peer measured nothing; the end of what it said:\n" + LogTail.lastLines(log, LINES));
            }
            Duration sinceStart = Duration.between(started, clock.instant());
            return new Followed(changes * 1e9 / Long.parseLong(line), sinceStart);
        } finally {
            guard.cancel(false);
            process.destroy();
            process.waitFor(PATIENCE_MINUTES, TimeUnit.MINUTES);
        }
    }
}
