package dev.tidemark.metrics;

import java.time.Instant;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import dev.tidemark.scrub.ScrubTotals;

/** Shows what was looked through for damage. */
public final class ScrubMeters {
    private static final double MILLIS = 1_000;

    private ScrubMeters() {}

    /** Totals that count from 0 and are shown in a registry. */
    public static ScrubTotals show(MeterRegistry registry) {
        ScrubTotals totals = new ScrubTotals();
        FunctionCounter.builder("tidemark.scrub.bytes", totals, ScrubTotals::bytes)
                .description("Bytes of files that were compared with their checksums.")
                .register(registry);
        FunctionCounter.builder("tidemark.scrub.damages", totals, ScrubTotals::damages)
                .description("Files found damaged; one that stays is counted in each pass.")
                .register(registry);
        Gauge.builder("tidemark.scrub.last.pass.timestamp.seconds", totals, ScrubMeters::lastPass)
                .description("When a pass over all files last ended, in seconds since 1970; NaN before the first.")
                .register(registry);
        return totals;
    }

    private static double lastPass(ScrubTotals totals) {
        Instant last = totals.lastPass();
        return last.equals(Instant.MIN) ? Double.NaN : last.toEpochMilli() / MILLIS;
    }
}
