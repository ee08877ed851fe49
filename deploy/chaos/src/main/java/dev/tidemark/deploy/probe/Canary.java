package dev.tidemark.deploy.probe;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * One acknowledged write of the prober. It was committed at some moment between its invocation and its acknowledgement.
 *
 * @param partition hash shard of its row; the prober has one row in each
 * @param version what the writer answered
 * @param invoked when the request was sent, by the prober's clock
 * @param acknowledged when the answer was there, by the prober's clock
 */
public record Canary(int partition, RowVersion version, Instant invoked, Instant acknowledged) {}
