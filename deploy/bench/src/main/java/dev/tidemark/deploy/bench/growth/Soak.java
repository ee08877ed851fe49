package dev.tidemark.deploy.bench.growth;

import java.time.Duration;
import java.util.List;
import java.util.Locale;

/**
 * Memory of a worker that was written to and queried all the time.
 *
 * @param bytes one number after each step, in the order of time; at least three
 */
public record Soak(Duration time, List<Long> bytes) {
    private static final double MEGABYTE = 1 << 20;

    public Soak {
        bytes = List.copyOf(bytes);
        if (bytes.size() < 3) {
            throw new IllegalArgumentException("Expected at least three looks at the memory, but got " + bytes.size());
        }
    }

    /** The median of the second third: what comes before it is how the process fills its caches. */
    long early() {
        return median(bytes.subList(bytes.size() / 3, bytes.size() * 2 / 3));
    }

    /** The median of the last third. */
    long late() {
        return median(bytes.subList(bytes.size() * 2 / 3, bytes.size()));
    }

    long most() {
        return bytes.stream().mapToLong(Long::longValue).max().orElse(0);
    }

    /** In one line. */
    String line() {
        return String.format(
                Locale.ROOT,
                "memory over %d minutes of writes and queries, %d looks: %s in the second third, %s in the last, at most %s",
                time.toMinutes(),
                bytes.size(),
                megabytes(early()),
                megabytes(late()),
                megabytes(most()));
    }

    static String megabytes(long bytes) {
        return String.format(Locale.ROOT, "%,.0f MiB", bytes / MEGABYTE);
    }

    private static long median(List<Long> bytes) {
        return bytes.stream().sorted().skip(bytes.size() / 2).findFirst().orElse(0L);
    }
}
