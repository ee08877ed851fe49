package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.Map;

import dev.tidemark.digest.Digest;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/**
 * A row as the fact table holds it.
 *
 * @param version the newest change of the row
 * @param committedAt when that change was committed
 * @param row the whole row
 * @param digests of its entries, by generation, as far as they are known without deriving them
 */
public record StoredRow(RowVersion version, Instant committedAt, RowDocument row, Map<Long, Digest> digests) {
    /** A row of which no digest is known. */
    public StoredRow(RowVersion version, Instant committedAt, RowDocument row) {
        this(version, committedAt, row, Map.of());
    }
}
