package dev.tidemark.worker.query;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;

import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;

/**
 * The answer to a question. To be closed when it has been sent.
 *
 * @param entries in the order asked for
 * @param next cursor to go on from, or empty text for a part of a question; empty when there is no more
 * @param rows the rows of the entries as they are now, as JSON, in their order; an empty one where the row is gone.
 *     Empty when they were not asked for
 * @param through by partition, the version up to which the answer is complete
 * @param freshness as of the moment when the answer was complete
 * @param room the memory that the answer holds
 */
public record QueryResult(
        List<Entry> entries,
        Optional<String> next,
        Optional<List<Optional<KeyBytes>>> rows,
        SortedMap<Integer, RowVersion> through,
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
        return new QueryResult(entries, next, rows, through, freshness.withoutQuarantinedRows(), room);
    }

    @Override
    public void close() {
        room.close();
    }

    /**
     * An entry.
     *
     * @param whole its key in the index, by which entries are in order
     * @param key values of the index key, part by part
     * @param primaryKey key of the row
     * @param shard hash shard of the row
     * @param version newest version of the row in the index
     * @param carried what the entry carries of the row, as JSON; empty for a reference
     */
    public record Entry(
            KeyBytes whole,
            List<FieldValue> key,
            KeyBytes primaryKey,
            int shard,
            RowVersion version,
            KeyBytes carried) {
        public Entry {
            key = List.copyOf(key);
        }

        /**
         * The entry with a key in an index.
         *
         * @throws MalformedKeyException when no entry of that index has the key
         */
        public static Entry of(IndexNames.Found index, KeyBytes whole, int shard, RowVersion version, KeyBytes carried)
                throws MalformedKeyException {
            KeyReader reader = new KeyReader(whole);
            List<FieldValue> parts = parts(index, reader);
            return new Entry(whole, parts, reader.rest(), shard, version, carried);
        }

        /**
         * Leaves out what a newer version of a row has replaced. Partitions of a global index are not read at one
         * moment, so that a row which changed its key may be found under both. Where a row has an entry for each of
         * several values, one under an older version may be as good as the newer ones, and stays.
         */
        static List<Entry> newest(IndexNames.Found index, List<Entry> found) {
            if (!index.definition().isGlobal()
                    || index.definition().key().get(0).each()) {
                return found;
            }
            Map<KeyBytes, RowVersion> newest = new HashMap<>();
            found.forEach(entry -> newest.merge(
                    entry.primaryKey(), entry.version(), (one, other) -> other.isAfter(one) ? other : one));
            return found.stream()
                    .filter(entry -> entry.version().equals(newest.get(entry.primaryKey())))
                    .toList();
        }

        static List<FieldValue> parts(IndexNames.Found index, KeyReader reader) throws MalformedKeyException {
            List<KeyPart> key = index.definition().key();
            FieldValue[] parts = new FieldValue[key.size()];
            for (int i = 0; i < parts.length; i++) {
                parts[i] = reader.next(key.get(i).order());
            }
            return List.of(parts);
        }
    }
}
