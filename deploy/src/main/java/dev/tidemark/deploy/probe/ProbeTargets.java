package dev.tidemark.deploy.probe;

import java.net.URI;
import java.time.Duration;

/** Gives access to a writer and a worker at given URLs. */
@FunctionalInterface
public interface ProbeTargets {

    /**
     * Access to both; nothing is connected yet.
     *
     * @param patience how long a call may take
     */
    ProbeTarget at(URI writer, URI worker, Duration patience);
}
