package dev.tidemark.deploy.probe;

import java.time.Instant;
import java.util.OptionalDouble;
import java.util.OptionalInt;

/**
 * What a service said about staleness, at some moment between question and answer.
 *
 * @param source who said it
 * @param partition of what; empty when it is about the whole index
 * @param asked when the question was sent
 * @param answered when the answer was there
 * @param seconds what was said; empty for "unknown", which is honest: a missing number, NaN, null
 */
public record Claim(Source source, OptionalInt partition, Instant asked, Instant answered, OptionalDouble seconds) {

    /** A claim about the whole index. */
    public static Claim ofIndex(Source source, Instant asked, Instant answered, OptionalDouble seconds) {
        return new Claim(source, OptionalInt.empty(), asked, answered, seconds);
    }
}
