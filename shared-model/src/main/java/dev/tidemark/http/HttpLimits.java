package dev.tidemark.http;

import java.time.Duration;

import dev.tidemark.row.RowJson;

/**
 * What a client may ask of a listener. What else is limited, beside what it limits: the body of each call ({@link
 * Requests#body}), rows and loads (settings), depth, names and numbers in JSON ({@link RowJson}), pages and waits (each
 * call).
 *
 * @param headerBytes longest request line and headers together; beyond it 431, or 414 where the line alone is too long
 * @param urlBytes longest path and query; beyond it 414
 * @param connections most connections; further ones wait to be accepted, and those that idle are closed early meanwhile
 * @param idle longest silence of a connection; beyond it it is closed
 * @param headerPatience longest time from the first byte of a request to the end of its headers, of a TLS handshake too;
 *     beyond it the connection is closed
 * @param bodyWindow time over which the speed of a body is judged
 * @param bodyBytesPerWindow least bytes of a body in such a time; below it the connection is closed; 0 for none
 */
public record HttpLimits(
        int headerBytes,
        int urlBytes,
        int connections,
        Duration idle,
        Duration headerPatience,
        Duration bodyWindow,
        long bodyBytesPerWindow) {
    /** For services that people use. */
    public static final HttpLimits USUAL = new HttpLimits(
            64 * 1024, 48 * 1024, 1_024, Duration.ofSeconds(30), Duration.ofSeconds(10), Duration.ofSeconds(20), 1_024);
}
