package dev.tidemark.deploy.bench;

import java.net.URI;
import java.time.Clock;
import java.util.Map;

import dev.tidemark.deploy.target.ServiceCaller.ServiceCallers;

/** Makes the systems under measurement that an adapter reaches. */
public interface BenchSystems {
    /** One of those whose visibility is measured, warm and waiting between its rounds. Not for several threads. */
    @FunctionalInterface
    interface MeasuredSystem {
        /**
         * Takes a load, and returns figures of {@link VisibilityFigures} when all of it has arrived.
         *
         * @throws BenchException when a change did not arrive, or not in time
         */
        Map<Figure, Double> run(Load load) throws Exception;
    }

    /** Gives access to services. */
    ServiceCallers callers();

    /** Writer and worker at those addresses with a table, as a client sees them. */
    TidemarkTarget tidemark(URI writer, URI worker, Clock clock, String table);

    /**
     * A bare loop.
     *
     * @param stack with the broker; its directory gets a log of the errors, and the loop ends with it
     * @param like the histogram whose bounds are to be used
     */
    MeasuredSystem bareLoop(Baseline baseline, BenchStack stack, Latencies like) throws Exception;
}
