package dev.tidemark.worker.clocks;

import java.util.List;

import dev.tidemark.runtime.GaugeValue;

/** What is known of the writer's clock, as metrics. */
public final class ClockReadings {
    private ClockReadings() {}

    /** The readings of an estimate. */
    public static List<GaugeValue> of(WriterClockEstimator writerTime) {
        return List.of(new GaugeValue(
                "clock.skew.seconds",
                "The writer's commit clock minus this worker's clock; NaN until it is known.",
                () -> writerTime.skew().map(skew -> skew.toNanos() / 1e9).orElse(Double.NaN)));
    }
}
