package dev.tidemark.worker.advise;

import java.time.Duration;

import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.Durations;
import dev.tidemark.worker.apply.Passages;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

class CostMeterTest {
    private final CostMeter meter = new CostMeter();

    @Test
    void sharesTheTimeOfLargeBatchesAmongTheirChanges() {
        batch(500, Duration.ofMillis(4));
        batch(500, Duration.ofMillis(6));

        assertThat(meter.perChange("people")).contains(Duration.ofNanos(10_000));
        assertThat(meter.perChange("films")).isEmpty();
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
        Durations apply = new Durations(1);
        apply.add(took.toNanos(), changes);
        meter.visible(new ShardId("people", 0), new Passages() {
            @Override
            public Durations totals() {
                throw new AssertionError("only the time of applying is of interest");
            }

            @Override
            public Durations in(Stage stage) {
                assertThat(stage).isEqualTo(Stage.APPLY);
                return apply;
            }
        });
    }
}
