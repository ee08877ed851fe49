package dev.tidemark.deploy.target;

import java.net.URI;
import java.time.Duration;

/** Gives access to services; nothing is connected yet. */
@FunctionalInterface
public interface ServiceCallers {
    /**
     * Calls of the service at a URL.
     *
     * @param patience how long a call may take, the body of the answer included
     */
    ServiceCaller at(URI service, Duration patience);
}
