package dev.tidemark.deploy.bench.apply;

import java.io.IOException;
import java.nio.file.Path;

import dev.tidemark.deploy.bench.BenchException;

/** Somebody who makes an index from a topic. */
public interface Follower {
    /**
     * Begins with nothing and follows until nothing is left.
     *
     * @param scratch an empty directory
     * @return changes a second between the first change and the last; starting the process is not in it
     */
    double changesPerSecond(Path scratch) throws BenchException, IOException, InterruptedException;
}
