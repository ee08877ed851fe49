package dev.tidemark.deploy.bench;

/** One of those who are measured, warm and waiting between its rounds. Not for several threads. */
public interface MeasuredSystem extends AutoCloseable {

    /**
     * Takes a load, and returns when all of it has arrived.
     *
     * @throws BenchException when a change did not arrive, or not in time
     */
    Round run(Load load) throws BenchException, InterruptedException;

    @Override
    void close();
}
