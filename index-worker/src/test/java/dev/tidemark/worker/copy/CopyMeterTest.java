package dev.tidemark.worker.copy;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

class CopyMeterTest {
    @Test
    void countsTheBytesOfGlobalIndexesAndLayoutsForTheirTable() {
        CopyMeter meter = new CopyMeter();

        meter.take(new ShardId("people", 1), 1);
        meter.take(new ShardId("people.by_town.7", 1), 10);
        meter.take(new ShardId("people.8", 1), 100);
        meter.take(new ShardId("films", 1), 1_000);

        assertThat(meter.takenBytes("people")).isEqualTo(111);
        assertThat(meter.takenBytes("films")).isEqualTo(1_000);
    }
}
