package dev.tidemark.worker.query;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardView;

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
        try (MergedScan scan = new MergedScan(
                readings.held().stream().map(QuerySnapshot.Held::view).toList(),
                query.index().generation().id(),
                query.rest(),
                query.order())) {
            while (scan.isValid() && !more) {
                more = raws.size() == query.limit() || room.isFull() || !add(query, scan, readings.held(), room, raws);
            }
        }
        if (more && raws.isEmpty()) {
            throw new NoMemoryException();
        }
        Optional<KeyBytes> end = more ? Optional.of(raws.get(raws.size() - 1).key()) : Optional.empty();
        List<QueryResult.Entry> entries = entries(raws, readings.held());
        return new Page(query.isWhole() ? QueryResult.Entry.newest(query.index(), entries) : entries, end);
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
        RowVersion[] versions = new RowVersion[raws.size()];
        List<KeyBytes> rows = new ArrayList<>();
        for (int place = 0; place < held.size(); place++) {
            rows.clear();
            for (RawEntry raw : raws) {
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
        List<QueryResult.Entry> entries = new ArrayList<>(raws.size());
        for (int i = 0; i < versions.length; i++) {
            RawEntry raw = raws.get(i);
            int partition = held.get(raw.place()).partition();
            entries.add(new QueryResult.Entry(
                    raw.key(), raw.parts(), raw.primaryKey(), partition, versions[i], raw.carried()));
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

    /** The entries of several shards in one order. Holds one entry of each shard at a time. */
    private static final class MergedScan implements AutoCloseable {
        private final List<EntryScan> scans = new ArrayList<>();
        private final PriorityQueue<Head> heads;

        /** The entry on which a shard's scan stands. */
        private record Head(int shard, EntryScan scan, KeyBytes key) {}

        MergedScan(List<ShardView> views, long generation, KeyRange range, Order order) {
            Comparator<Head> ascending = Comparator.comparing(Head::key);
            this.heads = new PriorityQueue<>(order == Order.ASC ? ascending : ascending.reversed());
            try {
                for (int shard = 0; shard < views.size(); shard++) {
                    EntryScan scan = views.get(shard).scan(generation, range, order);
                    scans.add(scan);
                    stand(shard, scan);
                }
            } catch (RuntimeException e) {
                close();
                throw e;
            }
        }

        boolean isValid() {
            return !heads.isEmpty();
        }

        int shard() {
            return head().shard();
        }

        KeyBytes key() {
            return head().key();
        }

        KeyBytes carried() {
            return head().scan().carried();
        }

        void next() {
            Head passed = heads.remove();
            passed.scan().next();
            stand(passed.shard(), passed.scan());
        }

        @Override
        public void close() {
            scans.forEach(EntryScan::close);
        }

        private Head head() {
            return heads.element();
        }

        private void stand(int shard, EntryScan scan) {
            if (scan.isValid()) {
                heads.add(new Head(shard, scan, scan.key()));
            }
        }
    }
}
