package dev.tidemark.worker.clocks;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * The writer's answer about the commit order. Nothing that this process had read when it sent the request can have a
 * higher version.
 *
 * @param asked when the request was sent, by this process's clock
 * @param version the last version that the writer had assigned
 */
public record CommitBound(Instant asked, RowVersion version) {}
