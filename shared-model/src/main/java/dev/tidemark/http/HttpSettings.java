package dev.tidemark.http;

import java.time.Duration;

/**
 * Where and how a service listens.
 *
 * @param host address to bind; loopback unless the user chose otherwise
 * @param port 0 for any free one
 * @param threads most requests handled at once; further ones wait in the listener's queue
 * @param drain how long requests under way may take to finish when the service stops
 * @param limits what a client may ask of it
 */
public record HttpSettings(String host, int port, int threads, Duration drain, HttpLimits limits) {
    /** With the usual limits. */
    public HttpSettings(String host, int port, int threads, Duration drain) {
        this(host, port, threads, drain, HttpLimits.USUAL);
    }
}
