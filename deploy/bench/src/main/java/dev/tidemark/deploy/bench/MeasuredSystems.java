package dev.tidemark.deploy.bench;

import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;

import dev.tidemark.deploy.stack.Installation;

/** Makes those who are measured. */
public interface MeasuredSystems {

    /** Writer and worker at those addresses. */
    TidemarkTarget tidemark(URI writer, URI worker);

    /**
     * A bare loop.
     *
     * @param peer which of them
     * @param brokers where the broker listens
     * @param log what its consumer complains of
     * @param like the histogram whose bounds are to be used
     */
    MeasuredSystem bareLoop(
            Baseline peer, Installation installation, String brokers, Path log, Latencies like, Clock clock)
            throws BenchException, InterruptedException;
}
