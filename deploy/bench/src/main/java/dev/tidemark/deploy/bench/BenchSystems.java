package dev.tidemark.deploy.bench;

import java.net.URI;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

import dev.tidemark.deploy.target.ServiceCaller.Reply;
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

    /** Requests of which some are under way together; the others wait for a connection. For any thread. */
    @FunctionalInterface
    interface ParallelRequests {
        /**
         * Sends a request.
         *
         * @param type of the body; empty for none
         */
        CompletableFuture<Reply> send(String method, URI uri, String type, String body);
    }

    /** Gives access to services. */
    ServiceCallers callers();

    /** Gives a pool of connections. */
    ParallelRequests requests();

    /**
     * A bare loop.
     *
     * @param stack with the broker; its directory gets a log of the errors, and the loop ends with it
     * @param like the histogram whose bounds are to be used
     */
    MeasuredSystem bareLoop(Baseline baseline, BenchStack stack, Latencies like) throws Exception;
}
