package dev.tidemark.runtime;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Many durations, each with how many things took so long; in arrays of numbers, because there is one for every change that
 * is applied. For one thread at a time.
 */
public final class DurationCounts {
    private long[] nanos;
    private int[] times;
    private int size;

    /** None yet, with room for so many before the arrays have to grow. */
    public DurationCounts(int room) {
        this.nanos = new long[Math.max(1, room)];
        this.times = new int[nanos.length];
    }

    /** Adds a duration that so many things took; what equals the one before is counted with it. */
    public void add(long durationNanos, int things) {
        if (size > 0 && nanos[size - 1] == durationNanos) {
            times[size - 1] += things;
            return;
        }
        if (size == nanos.length) {
            nanos = Arrays.copyOf(nanos, size * 2);
            times = Arrays.copyOf(times, size * 2);
        }
        nanos[size] = durationNanos;
        times[size] = things;
        size++;
    }

    /** How many different ones there are side by side. */
    public int size() {
        return size;
    }

    /** The duration at a position below {@link #size}. */
    public long nanos(int position) {
        return nanos[position];
    }

    /** How many things took so long. */
    public int times(int position) {
        return times[position];
    }

    /** All of them, each as often as things took it. */
    public List<Duration> each() {
        return IntStream.range(0, size)
                .boxed()
                .flatMap(at -> IntStream.range(0, times[at]).mapToObj(thing -> Duration.ofNanos(nanos[at])))
                .toList();
    }
}
