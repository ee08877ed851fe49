package dev.tidemark.deploy.probe;

import java.time.Duration;

/**
 * A claim that was too small.
 *
 * @param source who made it
 * @param at since the start of the prober
 * @param said seconds
 * @param truth seconds; the real staleness was at least this
 * @param missing the oldest acknowledged write that was not visible then
 */
public record UnderReport(Source source, Duration at, double said, double truth, Canary missing) {}
