package dev.tidemark.worker.advise;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;

import dev.tidemark.key.KeyBytes;

/**
 * The most frequent keys of a stream in bounded memory: the algorithm Space-Saving of A. Metwally, D. Agrawal and
 * A. El Abbadi, "Efficient Computation of Frequent and Top-k Elements in Data Streams", ICDT 2005. With room for n
 * keys, a key that makes up more than 1/n of the stream is never missed. A count may be too large by the stated error,
 * never too small. Belongs to one thread.
 */
public final class SpaceSaving {
    private static final Comparator<Count> LIGHTEST_FIRST =
            Comparator.comparingLong(Count::times).thenComparing(Count::key);

    private final int room;
    private final Map<KeyBytes, Count> counts = new HashMap<>();
    private final TreeSet<Count> ordered = new TreeSet<>(LIGHTEST_FIRST);

    /**
     * A key and how often it came.
     *
     * @param error how much too large the number may be
     */
    public record Count(KeyBytes key, long times, long error) {
        /** How often it came at least. */
        long atLeast() {
            return times - error;
        }
    }

    /** A summary without keys that has room for {@code room} of them. */
    public SpaceSaving(int room) {
        this.room = room;
    }

    /** Counts a key. */
    public void add(KeyBytes key) {
        Count known = counts.get(key);
        if (known != null) {
            ordered.remove(known);
            put(new Count(key, known.times() + 1, known.error()));
        } else if (counts.size() < room) {
            put(new Count(key, 1, 0));
        } else {
            Count lightest = ordered.first();
            ordered.remove(lightest);
            counts.remove(lightest.key());
            put(new Count(key, lightest.times() + 1, lightest.times()));
        }
    }

    /** The most frequent keys, most frequent first, at most {@code most} of them. */
    public List<Count> top(int most) {
        return ordered.descendingSet().stream().limit(most).toList();
    }

    /** Halves all counts and errors, rounded down, so that what came long ago counts less and less. */
    void halve() {
        List<Count> all = List.copyOf(ordered);
        ordered.clear();
        counts.clear();
        all.forEach(count -> put(new Count(count.key(), count.times() / 2, count.error() / 2)));
    }

    private void put(Count count) {
        counts.put(count.key(), count);
        ordered.add(count);
    }
}
