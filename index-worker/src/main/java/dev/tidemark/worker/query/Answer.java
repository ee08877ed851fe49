package dev.tidemark.worker.query;

import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;

/**
 * The answer to a question.
 *
 * @param entries in the order asked for
 * @param next cursor to go on from; empty when there is no more
 * @param rows the rows of the entries as they are now, in their order, without those that are gone; empty when they were
 *     not asked for
 * @param freshness as of the moment when the answer was complete
 */
public record Answer(
        List<Entry> entries, Optional<String> next, Optional<List<Optional<JsonNode>>> rows, Freshness freshness) {
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
