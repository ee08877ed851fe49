package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Optional;

/** Makes the systems under measurement and their baselines. */
public interface BenchSystems {
    /** Writer and worker at those addresses, as a client sees them. */
    TidemarkTarget tidemark(URI writer, URI worker);

    /** The table of the customers in the same services. */
    TidemarkTable table(URI writer, URI worker, Clock clock);

    /** PostgreSQL with a database below that directory; empty where it is not installed. */
    Optional<IndexBuilder> postgres(Path parent, Clock clock) throws BenchException, IOException, InterruptedException;

    /**
     * A bare loop.
     *
     * @param baseline which of them
     * @param stack with the broker; its directory gets a log of the errors
     * @param like the histogram whose bounds are to be used
     */
    MeasuredSystem bareLoop(Baseline baseline, BenchStack stack, Latencies like, Clock clock)
            throws BenchException, InterruptedException;
}
