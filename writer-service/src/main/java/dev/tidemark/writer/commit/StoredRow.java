package dev.tidemark.writer.commit;

import java.time.Instant;

import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/**
 * A row as the fact table holds it.
 *
 * @param version the newest change of the row
 * @param committedAt when that change was committed
 * @param row the whole row
 */
public record StoredRow(RowVersion version, Instant committedAt, RowDocument row) {}
