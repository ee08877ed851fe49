package dev.tidemark.runtime;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Durations, each with the number of things that took it. Primitive arrays hold them, because every applied change adds
 * one. Confined to one thread at a time.
 */
public final class DurationCounts {
    private long[] nanos;
    private int[] times;
    private int size;

    /**
     * Creates an empty list.
     *
     * @param room number of durations that fit before the arrays grow
     */
    public DurationCounts(int room) {
        this.nanos = new long[Math.max(1, room)];
        this.times = new int[nanos.length];
    }

    /**
     * Adds a duration and the number of things that took it. A duration equal to the previous one raises the previous
     * count.
     */
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

    /** Returns the number of things that took the duration at a position. */
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
