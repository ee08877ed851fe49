package dev.tidemark.http;

import java.time.Duration;

import dev.tidemark.row.RowJson;

/**
 * What a client may ask of a listener. What else is limited, beside what it limits: the body of each call
 * ({@link BodyRule}), rows and loads (settings), depth, names and numbers in JSON ({@link RowJson}), pages and waits
 * (each call).
 *
 * @param headerBytes longest request line and headers together; beyond it 431, or 414 where the line alone is too long
 * @param urlBytes longest path and query; beyond it 414
 * @param connections most connections; further ones wait to be accepted, and meanwhile answers end their connections
 * @param idle longest silence of a connection; beyond it it is closed
 * @param headerPatience longest time from the first byte of a request to the end of its headers, of a TLS handshake
 *     too; beyond it the connection is closed
 * @param window time over which the speed of a client is judged; twice that where it takes an answer
 * @param bytesPerWindow least bytes in such a time, unless fewer are left, of bodies that are held in memory; twice
 *     that of answers, in twice the time
 * @param loadBytesPerWindow the same of bodies that are not held
 */
public record HttpLimits(
        int headerBytes,
        int urlBytes,
        int connections,
        Duration idle,
        Duration headerPatience,
        Duration window,
        long bytesPerWindow,
        long loadBytesPerWindow) {
    /** Most headers of a request; beyond it 431. */
    static final int MOST_HEADERS = 256;

    /** Most parameters of a query; beyond it 400. */
    static final int MOST_PARAMETERS = 256;

    /** For services that people use. */
    public static final HttpLimits USUAL = new HttpLimits(
            64 * 1024,
            48 * 1024,
            1_024,
            Duration.ofSeconds(30),
            Duration.ofSeconds(10),
            Duration.ofSeconds(20),
            80 * 1024,
            1_024);

    /** The same, of other connections. */
    public HttpLimits withConnections(int most, Duration longestSilence, Duration patienceForHeaders) {
        return new HttpLimits(
                headerBytes,
                urlBytes,
                most,
                longestSilence,
                patienceForHeaders,
                window,
                bytesPerWindow,
                loadBytesPerWindow);
    }
}
