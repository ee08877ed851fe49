package dev.tidemark.deploy.stack;

import java.net.URI;

/** Asks a service whether it is ready. */
@FunctionalInterface
public interface ReadinessProbe {

    /**
     * Whether {@code /health/ready} of the service answers 200. Returns within a few seconds, and false when the
     * service does not answer.
     */
    boolean isReady(URI service);
}
