package dev.tidemark.worker.clocks;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * The writer's answer about the commit order. Nothing that this process had read by a time can have a higher version.
 *
 * @param until that time, by this process's clock: when the request was sent, or when the writer last knew before
 *     that no other writer had taken over
 * @param version the last version that the writer had assigned
 */
public record CommitBound(Instant until, RowVersion version) {}
