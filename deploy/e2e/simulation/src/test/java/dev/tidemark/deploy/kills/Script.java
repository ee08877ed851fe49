package dev.tidemark.deploy.kills;

import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What every batch of a run writes: a function of the seed and the batch's number, so that what must be there after any
 * batch can be told without having seen the others.
 *
 * @param seed what tells runs apart
 */
record Script(long seed) {
    /** Rows there are. A prime number, so that every step from row to row meets all of them. */
    static final int ROWS = 499;

    /** Changes in a batch, each of another row. */
    static final int CHANGES = 5;

    /** A well spread number for each number. */
    static long mixed(long number) {
        long z = number + 0x9E3779B97F4A7C15L;
        z = (z ^ (z >>> 30)) * 0xBF58476D1CE4E5B9L;
        z = (z ^ (z >>> 27)) * 0x94D049BB133111EBL;
        return z ^ (z >>> 31);
    }

    /** The changes of a batch; batches are numbered from 1. */
    List<Touch> batch(long number) {
        long chance = mixed(seed ^ mixed(number));
        int first = (int) Long.remainderUnsigned(chance, ROWS);
        int step = 1 + (int) Long.remainderUnsigned(mixed(chance), ROWS - 1);
        List<Touch> touches = new ArrayList<>(CHANGES);
        for (int i = 0; i < CHANGES; i++) {
            touches.add(new Touch((number - 1) * CHANGES + i + 1, (first + i * step) % ROWS, mixed(chance + i)));
        }
        return touches;
    }

    /** The last change of each row up to a batch, that batch included, by row. */
    SortedMap<Integer, Touch> lastTouches(long number) {
        SortedMap<Integer, Touch> last = new TreeMap<>();
        for (long batch = number; batch > 0 && last.size() < ROWS; batch--) {
            batch(batch).forEach(touch -> last.putIfAbsent(touch.row(), touch));
        }
        return last;
    }
}
