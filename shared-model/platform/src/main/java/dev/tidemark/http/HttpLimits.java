package dev.tidemark.http;

import java.time.Duration;

import dev.tidemark.row.RowJson;

/**
 * What a client may ask of a listener. What else is limited, beside what it limits: the body of each call
 * ({@link BodyRule}), rows and loads (settings), depth, names and numbers in JSON ({@link RowJson}), pages and waits
 * (each call).
 *
 * @param connections most connections; further ones wait to be accepted, and meanwhile answers end their connections
 * @param idle longest silence of a connection; beyond it it is closed
 * @param headerPatience longest time from the first byte of a request to the end of its headers, of a TLS handshake
 *     too; beyond it the connection is closed
 */
public record HttpLimits(int connections, Duration idle, Duration headerPatience) {
    /** For services that people use. */
    public static final HttpLimits USUAL = new HttpLimits(1_024, Duration.ofSeconds(30), Duration.ofSeconds(10));

    /** Longest request line and headers together, in bytes; beyond it 431, or 414 where the line alone is too long. */
    static final int HEADER_BYTES = 64 * 1024;

    /** Longest path and query, in bytes; beyond it 414. */
    static final int URL_BYTES = 48 * 1024;

    /** Most headers of a request; beyond it 431. */
    static final int MOST_HEADERS = 256;

    /** Most parameters of a query; beyond it 400. */
    static final int MOST_PARAMETERS = 256;

    /** Time over which the speed of a client is judged; twice that where it takes an answer. */
    static final Duration WINDOW = Duration.ofSeconds(20);

    /**
     * Least bytes in such a time, unless fewer are left, of bodies that are held in memory; twice that of answers, in
     * twice the time.
     */
    static final long BYTES_PER_WINDOW = 80 * 1024;

    /** The same of bodies that are not held. */
    static final long LOAD_BYTES_PER_WINDOW = 1_024;
}
