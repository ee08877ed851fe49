package dev.tidemark.http;

import java.time.Duration;
import java.util.Set;

/**
 * Where and how a service listens.
 *
 * @param host address to bind; loopback unless the user chose otherwise
 * @param port 0 for any free one
 * @param threads most handlers at work at once; further calls wait for one
 * @param drain how long requests under way may take to finish when the service stops
 * @param limits what a client may ask of it
 * @param allowedHosts names, beside the host, that requests may be sent to
 */
public record HttpSettings(
        String host, int port, int threads, Duration drain, HttpLimits limits, Set<String> allowedHosts) {
    public HttpSettings {
        allowedHosts = Set.copyOf(allowedHosts);
    }

    /** With the usual limits. */
    public HttpSettings(String host, int port, int threads, Duration drain) {
        this(host, port, threads, drain, HttpLimits.USUAL, Set.of());
    }
}
