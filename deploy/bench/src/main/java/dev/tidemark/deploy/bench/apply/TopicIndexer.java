package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

import dev.tidemark.deploy.bench.BenchException;

/** A system that builds an index from a topic. */
public interface TopicIndexer {
    /**
     * Begins with nothing and follows until nothing is left.
     *
     * @param scratch an empty directory
     */
    Followed follow(Path scratch) throws BenchException, IOException, InterruptedException;

    /**
     * How fast.
     *
     * @param perSecond changes a second between the first change and the last; starting the process is not in it
     * @param sinceStart from the start of the process until nothing was left
     */
    record Followed(double perSecond, Duration sinceStart) {}
}
