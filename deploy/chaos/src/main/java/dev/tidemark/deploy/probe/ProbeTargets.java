package dev.tidemark.deploy.probe;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.client.ClientIdentity;
import dev.tidemark.deploy.client.ServiceException;

/** Gives access to a writer and its workers at given URLs. */
@FunctionalInterface
public interface ProbeTargets {

    /**
     * Access to all of them; nothing is connected yet.
     *
     * @param workers at least one
     * @param identity what is shown to them
     * @param patience how long a call may take
     * @throws ServiceException when a file of the identity cannot be used
     */
    ProbeTarget at(URI writer, List<URI> workers, ClientIdentity identity, Duration patience) throws ServiceException;
}
