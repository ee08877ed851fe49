package dev.tidemark.deploy.bench;

import java.util.Map;

/** One system of a benchmark, which waits between its rounds. Owned by the thread of the benchmark. */
@FunctionalInterface
public interface Contender {
    /** The name of Tidemark in every benchmark. */
    String TIDEMARK = "Tidemark";

    /**
     * Runs one round, and returns its result when no work of it is left that disturbs another contender.
     *
     * @throws BenchException when anything failed in it
     */
    Map<Figure, Double> run() throws Exception;
}
