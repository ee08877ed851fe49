package dev.tidemark.deploy.probe;

import java.util.OptionalDouble;

/**
 * A distribution in a few numbers, in seconds.
 *
 * @param count how many numbers; the others are empty when it is 0
 */
public record DistributionSummary(
        long count, OptionalDouble min, OptionalDouble p50, OptionalDouble p99, OptionalDouble max) {}
