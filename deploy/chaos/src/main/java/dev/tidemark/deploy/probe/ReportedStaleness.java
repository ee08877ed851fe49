package dev.tidemark.deploy.probe;

import java.time.Instant;
import java.util.OptionalDouble;
import java.util.Set;

/**
 * What a service said about staleness, at some moment between question and answer.
 *
 * @param source who said it
 * @param partitions of what; empty when it is about the whole index
 * @param asked when the question was sent
 * @param answered when the answer was there
 * @param seconds what was said; empty for "unknown", which is honest: a missing number, NaN, null
 */
public record ReportedStaleness(
        Source source, Set<Integer> partitions, Instant asked, Instant answered, OptionalDouble seconds) {

    public ReportedStaleness {
        partitions = Set.copyOf(partitions);
    }
}
