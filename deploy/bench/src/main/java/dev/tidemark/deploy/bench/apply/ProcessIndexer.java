package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.function.Function;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.LineProcess;

/**
 * A system in a separate process, which prints the nanoseconds that it took.
 *
 * @param changes in the topic
 * @param command gives the command for a directory
 */
record ProcessIndexer(long changes, Clock clock, Function<Path, List<String>> command) implements TopicIndexer {
    @Override
    public Followed follow(Path scratch) throws BenchException, IOException, InterruptedException {
        Path log = scratch.resolveSibling(scratch.getFileName() + ".log");
        Instant started = clock.instant();
        try (LineProcess process = LineProcess.start(command.apply(scratch), log)) {
            long nanos = Long.parseLong(process.line());
            return new Followed(changes * 1e9 / nanos, Duration.between(started, clock.instant()));
        }
    }
}
