package dev.tidemark.metrics;

import java.time.Instant;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;

import dev.tidemark.checksum.ChecksumScanTotals;

/** Shows what was looked through for damage. */
public final class ChecksumScanMeters {
    private static final double MILLIS = 1_000;

    private ChecksumScanMeters() {}

    /** Totals that count from 0 and are shown in a registry. */
    public static ChecksumScanTotals show(MeterRegistry registry) {
        ChecksumScanTotals totals = new ChecksumScanTotals();
        FunctionCounter.builder("tidemark.checksum.bytes", totals, ChecksumScanTotals::bytes)
                .description("Bytes of files that were compared with their checksums.")
                .register(registry);
        FunctionCounter.builder("tidemark.checksum.damages", totals, ChecksumScanTotals::damages)
                .description("Files found damaged; one that stays is counted in each pass.")
                .register(registry);
        Gauge.builder("tidemark.checksum.last.pass.timestamp.seconds", totals, ChecksumScanMeters::lastPass)
                .description("When a pass over all files last ended, in seconds since 1970; NaN before the first.")
                .register(registry);
        return totals;
    }

    private static double lastPass(ChecksumScanTotals totals) {
        Instant last = totals.lastPass();
        return last.equals(Instant.MIN) ? Double.NaN : last.toEpochMilli() / MILLIS;
    }
}
