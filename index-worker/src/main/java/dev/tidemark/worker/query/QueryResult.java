package dev.tidemark.worker.query;

import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;

/**
 * The answer to a question. To be closed when it has been sent.
 *
 * @param entries in the order asked for
 * @param next cursor to go on from; empty when there is no more
 * @param rows the rows of the entries as they are now, as JSON, in their order; an empty one where the row is gone.
 *     Empty when they were not asked for
 * @param freshness as of the moment when the answer was complete
 * @param room the memory that the answer holds
 */
public record QueryResult(
        List<Entry> entries,
        Optional<String> next,
        Optional<List<Optional<KeyBytes>>> rows,
        Freshness freshness,
        PageMemory room)
        implements AutoCloseable {
    public QueryResult {
        entries = List.copyOf(entries);
    }

    /** Bytes of keys and rows in it. */
    public long contentBytes() {
        return room.content();
    }

    /** The same without the keys of quarantined rows. */
    public QueryResult withoutQuarantinedRows() {
        return new QueryResult(entries, next, rows, freshness.withoutQuarantinedRows(), room);
    }

    @Override
    public void close() {
        room.close();
    }

    /**
     * An entry.
     *
     * @param key values of the index key, part by part
     * @param primaryKey key of the row
     * @param shard hash shard of the row
     * @param version newest version of the row in the index
     * @param carried what the entry carries of the row, as JSON; empty for a reference
     */
    public record Entry(List<FieldValue> key, KeyBytes primaryKey, int shard, RowVersion version, KeyBytes carried) {
        public Entry {
            key = List.copyOf(key);
        }
    }
}
