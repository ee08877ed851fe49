package dev.tidemark.deploy.bench;

/**
 * One system of a benchmark, which waits between its rounds. Owned by the thread of the benchmark.
 *
 * @param <T> the result of a round
 * @param name in the progress lines and in reports
 * @param turn runs one round
 * @param end the work at the end of the benchmark
 */
public record Contender<T>(String name, Turn<T> turn, Runnable end) implements AutoCloseable {
    /** The name of Tidemark in every benchmark. */
    public static final String TIDEMARK = "Tidemark";

    /** Runs rounds. */
    @FunctionalInterface
    public interface Turn<T> {
        /**
         * Runs one round, and returns its result when no work of it is left that disturbs another contender.
         *
         * @throws BenchException when anything failed in it
         */
        T run() throws Exception;
    }

    /** A contender that leaves nothing open between its rounds. */
    public Contender(String name, Turn<T> turn) {
        this(name, turn, () -> {});
    }

    @Override
    public void close() {
        end.run();
    }
}
