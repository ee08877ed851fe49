package dev.tidemark.worker.clocks;

import java.time.Instant;

import dev.tidemark.row.RowVersion;

/**
 * What the writer said of commit order. Nothing that this process had read when it asked can have a higher version.
 *
 * @param asked when the question was sent, by this process's clock
 * @param version the last version that the writer had given
 */
public record CommitBound(Instant asked, RowVersion version) {}
