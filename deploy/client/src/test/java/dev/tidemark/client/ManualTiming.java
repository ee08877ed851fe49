package dev.tidemark.client;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Time that passes by sleeping alone, without waiting. Chance is always the least. */
final class ManualTiming implements Timing {
    private long nanos;

    /** What was slept. */
    final List<Duration> pauses = new ArrayList<>();

    @Override
    public long nanos() {
        return nanos;
    }

    @Override
    public Instant now() {
        return Instant.parse("2026-11-20T12:00:00Z").plusNanos(nanos);
    }

    @Override
    public void sleep(Duration time) throws InterruptedException {
        if (Thread.interrupted()) {
            throw new InterruptedException();
        }
        pauses.add(time);
        nanos += time.toNanos();
    }

    @Override
    public double random() {
        return 0;
    }
}
