package dev.tidemark.deploy.probe;

import java.util.function.Supplier;

import dev.tidemark.deploy.client.ServiceException;

/** Shows what a running prober finds to Prometheus. */
@FunctionalInterface
public interface ProbeExporter {

    /** Something that is shown until it is closed. */
    interface Shown extends AutoCloseable {
        @Override
        void close();
    }

    /**
     * Answers scrapes on a port of this machine.
     *
     * @param reports what was found so far
     * @throws ServiceException when the port is taken
     */
    Shown show(int port, Supplier<ProbeReport> reports) throws ServiceException;
}
