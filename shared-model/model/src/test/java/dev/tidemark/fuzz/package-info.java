/**
 * What a fuzzer throws bytes at. A {@link dev.tidemark.fuzz.FuzzTarget} makes an input of them, gives it to a decoder
 * that reads what strangers send, and lets only the documented exceptions pass; {@link dev.tidemark.fuzz.Pieces} cuts
 * bytes into parts, and {@link dev.tidemark.fuzz.RawHttp} sends requests that no client would.
 *
 * <p>A target may be called any number of times by one thread.
 */
@NullMarked
package dev.tidemark.fuzz;

import org.jspecify.annotations.NullMarked;
