package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.Map;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.DurationCounts;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

class CostMeterTest {
    private final CostMeter meter = new CostMeter();

    @Test
    void sharesTheTimeOfAQuickBatchAmongItsChanges() {
        batch(500, Duration.ofMillis(4));
        batch(500, Duration.ofMillis(6));

        assertThat(meter.perChange("people")).contains(Duration.ofNanos(8_000));
        assertThat(meter.perChange("films")).isEmpty();
    }

    @Test
    void isNotMisledByBatchesThatHadToWaitNorByAFewLuckyOnes() {
        batch(500, Duration.ofMillis(1));
        for (int i = 0; i < 20; i++) {
            batch(500, Duration.ofMillis(5));
            batch(500, Duration.ofMillis(90));
        }

        assertThat(meter.perChange("people")).contains(Duration.ofNanos(10_000));
    }

    @Test
    void forgetsTablesThatAreGone() {
        batch(1_000, Duration.ofMillis(4));
        assertThat(meter.perChange("people")).isPresent();
        meter.retain(Set.of("films"));
        assertThat(meter.perChange("people")).isEmpty();
    }

    @Test
    void forgetsWhatIsLongAgo() {
        for (int i = 0; i < 300; i++) {
            batch(500, Duration.ofMillis(1));
        }
        for (int i = 0; i < 256; i++) {
            batch(500, Duration.ofMillis(10));
        }

        assertThat(meter.perChange("people")).contains(Duration.ofNanos(20_000));
    }

    @Test
    void smallBatchesSayNothing() {
        for (int i = 0; i < 100; i++) {
            batch(CostMeter.LARGE - 1, Duration.ofMillis(1));
        }

        assertThat(meter.perChange("people")).isEmpty();
    }

    @Test
    void fewChangesAreNoMeasurement() {
        batch(999, Duration.ofMillis(4));

        assertThat(meter.perChange("people")).isEmpty();
    }

    private void batch(int changes, Duration took) {
        DurationCounts apply = new DurationCounts(1);
        apply.add(took.toNanos(), changes);
        meter.visible(new ShardId("people", 0), new StageLatencies(new DurationCounts(1), Map.of(Stage.APPLY, apply)));
    }
}
