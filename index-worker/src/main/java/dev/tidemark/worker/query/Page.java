package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.ShardDamagedException;

/**
 * What is read from the views for one answer.
 *
 * @param entries in the order asked for
 * @param end the key after which to go on; empty when there is no more
 */
record Page(List<QueryResult.Entry> entries, Optional<KeyBytes> end) {
    /**
     * Reads as many entries as were asked for, or as the room has memory for.
     *
     * @throws NoMemoryException when there is no memory left for the first entry
     */
    static Page read(IndexQuery query, QuerySnapshot readings, PageMemory room) throws NoMemoryException {
        List<RawEntry> raws = new ArrayList<>();
        boolean more = false;
        try (MergedScan scan =
                new MergedScan(readings.held(), query.index().generation().id(), query.rest(), query.order())) {
            while (scan.isValid() && !more) {
                more = raws.size() == query.limit() || room.isFull() || !add(query, scan, readings.held(), room, raws);
            }
        }
        if (more && raws.isEmpty()) {
            throw new NoMemoryException();
        }
        Optional<KeyBytes> end = more ? Optional.of(raws.get(raws.size() - 1).key()) : Optional.empty();
        List<QueryResult.Entry> entries = entries(raws, readings.held());
        // One view has each row at one moment.
        boolean several = readings.held().size() > 1;
        return new Page(query.isWhole() && several ? QueryResult.Entry.newest(query.index(), entries) : entries, end);
    }

    /** The first entries alone. */
    Page first(int count) {
        return count == entries.size()
                ? this
                : new Page(
                        entries.subList(0, count),
                        Optional.of(entries.get(count - 1).whole()));
    }

    /**
     * Cursor to go on from; empty when there is no more. For a part of a question it is empty text, because only the
     * whole has a place to go on from.
     *
     * @param through by partition, the version up to which the page is complete
     */
    Optional<String> next(IndexQuery query, SortedMap<Integer, RowVersion> through) {
        return end.map(last -> query.isWhole()
                ? new Cursor(last, query.demand().seenAfter(through)).write(query.index(), query.range(), query.order())
                : "");
    }

    /** Adds the entry on which the scan stands; false when there is no memory left for it. */
    private static boolean add(
            IndexQuery query, MergedScan scan, List<QuerySnapshot.Held> held, PageMemory room, List<RawEntry> raws) {
        RawEntry raw = raw(query, scan, held);
        if (!room.takeEntry(raw.key().length(), raw.carried().length())) {
            return false;
        }
        raws.add(raw);
        scan.next();
        return true;
    }

    private static RawEntry raw(IndexQuery query, MergedScan scan, List<QuerySnapshot.Held> held) {
        try {
            // The row is shown in place of what the entry carries of it.
            return RawEntry.of(query.index(), scan, query.fetchRow() ? KeyBytes.EMPTY : scan.carried());
        } catch (ShardDamagedException e) {
            throw e.in(held.get(scan.shard()).shard().id());
        }
    }

    private static List<QueryResult.Entry> entries(List<RawEntry> raws, List<QuerySnapshot.Held> held) {
        List<List<KeyBytes>> rows = new ArrayList<>(held.size());
        held.forEach(shard -> rows.add(new ArrayList<>()));
        for (RawEntry raw : raws) {
            rows.get(raw.place()).add(raw.primaryKey());
        }
        List<Iterator<Optional<RowVersion>>> versions = new ArrayList<>(held.size());
        for (int place = 0; place < held.size(); place++) {
            List<KeyBytes> here = rows.get(place);
            versions.add(
                    here.isEmpty()
                            ? Collections.emptyIterator()
                            : held.get(place).view().versions(here).iterator());
        }
        List<QueryResult.Entry> entries = new ArrayList<>(raws.size());
        for (RawEntry raw : raws) {
            int partition = held.get(raw.place()).partition();
            RowVersion version = versions.get(raw.place()).next().orElse(RowVersion.NONE);
            entries.add(
                    new QueryResult.Entry(raw.key(), raw.parts(), raw.primaryKey(), partition, version, raw.carried()));
        }
        return entries;
    }

    /**
     * An entry as it stands in the index.
     *
     * @param place of its shard among those that are held
     */
    private record RawEntry(KeyBytes key, List<FieldValue> parts, KeyBytes primaryKey, int place, KeyBytes carried) {
        static RawEntry of(IndexNames.Found index, MergedScan scan, KeyBytes carried) {
            try {
                KeyReader reader = new KeyReader(scan.key());
                List<FieldValue> parts = QueryResult.Entry.parts(index, reader);
                return new RawEntry(scan.key(), parts, reader.rest(), scan.shard(), carried);
            } catch (MalformedKeyException e) {
                throw new ShardDamagedException(
                        "Expected an entry of index " + index.definition().qualifiedName() + ", but " + e.getMessage());
            }
        }
    }

    /** The entries of several shards in one order. Holds the key of one entry of each shard at a time. */
    private static final class MergedScan implements AutoCloseable {
        private static final int NONE = -1;

        private final List<EntryScan> scans;

        /** Where each scan stands; null at its end. */
        private final @Nullable KeyBytes[] keys;

        private final Order order;
        private int first;

        MergedScan(List<QuerySnapshot.Held> shards, long generation, KeyRange range, Order order) {
            this.scans = new ArrayList<>(shards.size());
            this.keys = new KeyBytes[shards.size()];
            this.order = order;
            try {
                for (QuerySnapshot.Held shard : shards) {
                    scans.add(shard.view().scan(generation, range, order));
                    stand(scans.size() - 1);
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
            choose();
        }

        boolean isValid() {
            return first != NONE;
        }

        int shard() {
            return first;
        }

        KeyBytes key() {
            return Objects.requireNonNull(keys[first]);
        }

        KeyBytes carried() {
            return scans.get(first).carried();
        }

        void next() {
            scans.get(first).next();
            stand(first);
            choose();
        }

        @Override
        public void close() {
            scans.forEach(EntryScan::close);
        }

        private void stand(int shard) {
            EntryScan scan = scans.get(shard);
            keys[shard] = scan.isValid() ? scan.key() : null;
        }

        /** Looks at all shards: for each of them, to begin its scan has cost far more. */
        private void choose() {
            first = NONE;
            for (int shard = 0; shard < keys.length; shard++) {
                if (keys[shard] != null && (first == NONE || isBefore(keys[shard], keys[first]))) {
                    first = shard;
                }
            }
        }

        private boolean isBefore(KeyBytes one, KeyBytes other) {
            int compared = one.compareTo(other);
            return order == Order.ASC ? compared < 0 : compared > 0;
        }
    }
}
