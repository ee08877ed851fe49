package dev.tidemark.deploy.bench.scenario;

import java.io.IOException;
import java.util.Map;

import dev.tidemark.deploy.bench.BenchException;

/** One who takes part in a race, waiting between its rounds. Owned by the thread of the race. */
public interface Contender extends AutoCloseable {
    /** Returns the name in the progress lines. */
    String name();

    /**
     * Runs one round, and comes back when nothing of it is left to be done that would disturb the other.
     *
     * @return a number for each figure of the course
     * @throws BenchException when anything failed in it
     */
    Map<Figure, Double> run() throws BenchException, IOException, InterruptedException;

    @Override
    void close();
}
