package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.ShardDamagedException;

/**
 * What is read from the views for one answer.
 *
 * @param entries in the order asked for
 * @param next cursor to go on from; empty when there is no more
 */
record Page(List<Answer.Entry> entries, Optional<String> next) {
    /** An answer ends after so many bytes of rows, with a cursor, so that no question can exhaust the process. */
    private static final int MAX_CARRIED_BYTES = 8 * 1024 * 1024;

    static Page read(IndexQuery query, Readings readings) {
        List<Raw> raws = new ArrayList<>();
        Optional<String> next = Optional.empty();
        try (MergedScan scan = new MergedScan(
                readings.held().stream().map(Readings.Held::view).toList(),
                query.index().generation().id(),
                query.rest(),
                query.order())) {
            long carried = 0;
            while (scan.isValid()) {
                if (raws.size() == query.limit() || carried > MAX_CARRIED_BYTES) {
                    KeyBytes last = raws.get(raws.size() - 1).key();
                    next = Optional.of(Cursor.write(query.index(), query.range(), query.order(), last));
                    break;
                }
                raws.add(raw(query.index(), scan, readings.held()));
                carried += raws.get(raws.size() - 1).carried().length();
                scan.next();
            }
        }
        return new Page(entries(raws, readings.held()), next);
    }

    private static Raw raw(IndexNames.Found index, MergedScan scan, List<Readings.Held> held) {
        try {
            return Raw.of(index, scan);
        } catch (ShardDamagedException e) {
            throw e.in(held.get(scan.shard()).shard().id());
        }
    }

    private static List<Answer.Entry> entries(List<Raw> raws, List<Readings.Held> held) {
        RowVersion[] versions = new RowVersion[raws.size()];
        List<KeyBytes> rows = new ArrayList<>();
        for (int place = 0; place < held.size(); place++) {
            rows.clear();
            for (Raw raw : raws) {
                if (raw.place() == place) {
                    rows.add(raw.primaryKey());
                }
            }
            if (!rows.isEmpty()) {
                Iterator<Optional<RowVersion>> found =
                        held.get(place).view().versions(rows).iterator();
                for (int i = 0; i < versions.length; i++) {
                    if (raws.get(i).place() == place) {
                        versions[i] = found.next().orElse(RowVersion.NONE);
                    }
                }
            }
        }
        List<Answer.Entry> entries = new ArrayList<>(raws.size());
        for (int i = 0; i < versions.length; i++) {
            Raw raw = raws.get(i);
            int partition = held.get(raw.place()).partition();
            entries.add(new Answer.Entry(raw.parts(), raw.primaryKey(), partition, versions[i], raw.carried()));
        }
        return entries;
    }

    /**
     * An entry as it stands in the index.
     *
     * @param place of its shard among those that are held
     */
    private record Raw(KeyBytes key, List<FieldValue> parts, KeyBytes primaryKey, int place, KeyBytes carried) {
        static Raw of(IndexNames.Found index, MergedScan scan) {
            try {
                KeyReader reader = new KeyReader(scan.key());
                List<FieldValue> parts = new ArrayList<>();
                for (KeyPart part : index.definition().key()) {
                    parts.add(reader.next(part.order()));
                }
                return new Raw(scan.key(), parts, reader.rest(), scan.shard(), scan.carried());
            } catch (MalformedKeyException e) {
                throw new ShardDamagedException(
                        "Expected an entry of index " + index.definition().qualifiedName() + ", but " + e.getMessage());
            }
        }
    }
}
