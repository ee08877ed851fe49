/**
 * Keys as bytes whose unsigned order is the order of the values they hold.
 *
 * <p>Read in this order: {@link dev.tidemark.key.KeyBytes} (what a key is), {@link dev.tidemark.key.KeyWriter} and
 * {@link dev.tidemark.key.KeyReader} (the format, one value after the other), {@link dev.tidemark.key.KeyRange} (what a
 * scan covers). The idea of typed, self-delimiting, order-preserving elements is FoundationDB's tuple layer; the number
 * format differs because all JSON numbers share one exact order here.
 *
 * <p>{@code KeyWriter} and {@code KeyReader} belong to the thread that made them; the rest is immutable. Bytes that no
 * writer produced are reported as {@link dev.tidemark.key.MalformedKeyException}.
 */
@NullMarked
package dev.tidemark.key;

import org.jspecify.annotations.NullMarked;
