package dev.tidemark.worker.advise;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.FieldValue;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardView;

/**
 * Walks a generation of an index in key order and counts the values of its first key part. The walk reads a limited
 * number of entries of each value and then seeks the next value. Its time therefore depends on the number of values,
 * not on the number of entries. It stops at the limit of values of a shard ({@link Limits}), or at {@link #MOST_BYTES}
 * of values. Belongs to one thread.
 */
final class DistinctKeyScan {
    /** Heap that values may take, about. */
    static final long MOST_BYTES = 8L << 20;

    /** A value is kept in several collections, and once more as a part of a key. */
    private static final long COPIES = 4;

    private static final long VALUE_OBJECTS = 256;

    private final long generation;
    private final Order order;
    private final Limits limits;
    private final Map<KeyBytes, Long> weights = new HashMap<>();
    private boolean complete = true;
    private long bytes;
    private long entries;
    private long seen;
    private long keyBytes;
    private long carriedBytes;

    /**
     * The limits of a walk.
     *
     * @param values the maximum number of different values in a shard
     * @param each entries of a value that are read before the walk leaves it
     * @param more entries that may be read afterwards in a shard, to count values that were left
     */
    record Limits(int values, int each, int more) {
        /** About a tenth of a second a shard at most. */
        static final Limits USUAL = new Limits(4_096, 32, 50_000);
    }

    /** A value that was left before its end, and the entry to go on after. */
    private record Left(KeyBytes value, KeyBytes last) {}

    private DistinctKeyScan(long generation, Order order, Limits limits) {
        this.generation = generation;
        this.order = order;
        this.limits = limits;
    }

    /** The shape of a generation whose first key part has that order, over some shards. */
    static KeyShape over(List<ShardView> shards, long generation, Order order, Limits limits) {
        DistinctKeyScan walk = new DistinctKeyScan(generation, order, limits);
        shards.forEach(walk::add);
        return walk.shape();
    }

    private void add(ShardView view) {
        long here = view.checkpoint().entries(generation);
        long before = seen;
        entries += here;
        List<Left> left = new ArrayList<>();
        Set<KeyBytes> found = new HashSet<>();
        @Nullable KeyBytes next = KeyBytes.EMPTY;
        while (next != null && found.size() < limits.values() && bytes < MOST_BYTES) {
            next = value(view, next, found, left);
        }
        if (next == null) {
            finish(view, left, here - (seen - before));
        } else {
            complete = false;
        }
    }

    /** Reads one value; returns where the next one begins, or null at the end. */
    private @Nullable KeyBytes value(ShardView view, KeyBytes from, Set<KeyBytes> found, List<Left> left) {
        try (EntryScan scan = view.scan(generation, new KeyRange(from, null), Order.ASC)) {
            if (!scan.isValid()) {
                return null;
            }
            KeyBytes value = firstPart(scan.key());
            found.add(value);
            KeyBytes last = count(scan, value, limits.each());
            if (scan.isValid() && scan.key().startsWith(value)) {
                left.add(new Left(value, last));
            }
            return KeyRange.successor(value);
        }
    }

    /** Counts entries of a value from where the scan stands; the last one counted. */
    private KeyBytes count(EntryScan scan, KeyBytes value, int most) {
        KeyBytes last = scan.key();
        int counted = 0;
        for (; counted < most && scan.isValid() && scan.key().startsWith(value); scan.next()) {
            last = scan.key();
            keyBytes += last.length();
            carriedBytes += scan.carried().length();
            counted++;
        }
        seen += counted;
        boolean first = !weights.containsKey(value);
        weights.merge(value, (long) counted, Long::sum);
        if (first) {
            bytes += VALUE_OBJECTS + COPIES * value.length();
        }
        return last;
    }

    /**
     * Continues to count in the values that were left, an equal number of entries each. If all entries except those of
     * one value are counted, the rest belong to that value.
     */
    private void finish(ShardView view, List<Left> left, long uncounted) {
        long rest = uncounted;
        List<Left> open = new ArrayList<>();
        for (Left one : left) {
            KeyBytes from = one.last().concat(KeyBytes.wrap(new byte[] {0}));
            KeyRange range = new KeyRange(from, KeyRange.successor(one.value()));
            try (EntryScan scan = view.scan(generation, range, Order.ASC)) {
                long before = seen;
                count(scan, one.value(), limits.more() / left.size());
                rest -= seen - before;
                if (scan.isValid()) {
                    open.add(one);
                }
            }
        }
        if (open.size() == 1) {
            weights.merge(open.get(0).value(), Math.max(0, rest), Long::sum);
        }
    }

    private KeyBytes firstPart(KeyBytes key) {
        KeyReader reader = new KeyReader(key);
        try {
            reader.skip(order);
            return KeyBytes.wrap(Arrays.copyOf(key.array(), reader.position()));
        } catch (MalformedKeyException e) {
            throw damaged(e);
        }
    }

    private KeyShape shape() {
        List<KeyShape.Weight> heaviest = weights.entrySet().stream()
                .sorted(Map.Entry.<KeyBytes, Long>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(KeyShape.HEAVIEST)
                .map(weight -> new KeyShape.Weight(value(weight.getKey()), weight.getValue()))
                .toList();
        double counted = Math.max(1, seen);
        return new KeyShape(entries, weights.size(), complete, heaviest, keyBytes / counted, carriedBytes / counted);
    }

    private FieldValue value(KeyBytes part) {
        try {
            return new KeyReader(part).next(order);
        } catch (MalformedKeyException e) {
            throw damaged(e);
        }
    }

    private ShardDamagedException damaged(MalformedKeyException e) {
        return new ShardDamagedException("expected an entry of generation " + generation + ": " + e.getMessage());
    }
}
