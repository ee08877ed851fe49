package dev.tidemark.deploy.probe;

import java.net.URI;
import java.time.Duration;
import java.util.List;

/** Gives access to a writer and its workers at given URLs. */
@FunctionalInterface
public interface ProbeTargets {

    /**
     * Access to all of them; nothing is connected yet.
     *
     * @param workers at least one
     * @param patience how long a call may take
     */
    ProbeTarget at(URI writer, List<URI> workers, Duration patience);
}
