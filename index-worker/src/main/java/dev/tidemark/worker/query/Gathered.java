package dev.tidemark.worker.query;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;

/**
 * The parts of an answer that several workers have read, and their entries in one order.
 *
 * @param missing partitions without an answer, where the question allows that
 */
record Gathered(List<Part> parts, SortedSet<Integer> missing) implements AutoCloseable {
    /**
     * What one worker has read.
     *
     * @param partitions what of it is used; the rest came from another worker sooner
     * @param at at or before the moment of its freshness
     */
    record Part(SortedSet<Integer> partitions, QueryResult result, Instant at) {
        /**
         * Whether it counts rows of partitions of which it is not used. The counts are those of all partitions that it
         * was asked for.
         */
        boolean countsOthers(SortedSet<Integer> asked) {
            Freshness freshness = result.freshness();
            return !partitions.isEmpty()
                    && partitions.size() < asked.size()
                    && (freshness.quarantined().count() > 0 || freshness.refused() > 0);
        }

        /** The key after which entries of these partitions may be missing from it. */
        Optional<KeyBytes> end() {
            List<QueryResult.Entry> entries = result.entries();
            return result.next().map(cursor -> entries.get(entries.size() - 1).whole());
        }
    }

    /**
     * The first entries of the parts.
     *
     * @param end key after which to go on; empty when there is no more
     */
    record Merged(List<QueryResult.Entry> entries, Optional<KeyBytes> end) {}

    /**
     * Merges as many entries as are asked for, or as there is memory for.
     *
     * @throws NoMemoryException when there is no memory left for the first entry
     */
    Merged merge(IndexQuery query, PageMemory room) throws NoMemoryException {
        Order order = query.order();
        Comparator<KeyBytes> inOrder = order == Order.ASC ? Comparator.naturalOrder() : Comparator.reverseOrder();
        Optional<KeyBytes> bound =
                parts.stream().flatMap(part -> part.end().stream()).min(inOrder);
        List<QueryResult.Entry> read = new ArrayList<>();
        for (Part part : parts) {
            part.result().entries().stream()
                    .filter(entry -> part.partitions().contains(entry.shard()))
                    .filter(entry -> bound.isEmpty() || inOrder.compare(entry.whole(), bound.get()) <= 0)
                    .forEach(read::add);
        }
        read.sort(Comparator.comparing(QueryResult.Entry::whole, inOrder));
        List<QueryResult.Entry> all = QueryResult.Entry.newest(query.index(), read);
        int taken = 0;
        while (taken < Math.min(query.limit(), all.size())
                && !room.isFull()
                && room.takeEntry(
                        all.get(taken).whole().length(),
                        all.get(taken).carried().length())) {
            taken++;
        }
        if (taken == all.size()) {
            return new Merged(all, bound);
        }
        if (taken == 0) {
            throw new NoMemoryException();
        }
        return new Merged(all.subList(0, taken), Optional.of(all.get(taken - 1).whole()));
    }

    /** By partition, the version up to which the parts are complete. */
    SortedMap<Integer, RowVersion> through() {
        SortedMap<Integer, RowVersion> through = new TreeMap<>();
        for (Part part : parts) {
            part.partitions()
                    .forEach(partition ->
                            through.put(partition, part.result().through().getOrDefault(partition, RowVersion.NONE)));
        }
        return through;
    }

    /** How recent the parts are together at a moment. */
    Freshness freshness(Instant now) {
        return Freshness.together(
                parts.stream()
                        .map(part -> part.result().freshness().later(Duration.between(part.at(), now)))
                        .toList(),
                missing);
    }

    @Override
    public void close() {
        parts.forEach(part -> part.result().close());
    }
}
