package dev.tidemark.worker.query;

import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;

/**
 * The answer to a question.
 *
 * @param entries in the order asked for
 * @param next cursor to go on from; empty when there is no more
 */
public record Answer(List<Entry> entries, Optional<String> next, Freshness freshness) {
    public Answer {
        entries = List.copyOf(entries);
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
