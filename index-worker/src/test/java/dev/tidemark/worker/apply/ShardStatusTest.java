package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class ShardStatusTest {
    @Test
    void anotherCheckpointLeavesWhatElseIsKnown() {
        DigestFinding equal = new DigestFinding(ChangeLog.version(3), Instant.EPOCH, 0);
        ShardStatus status = new ShardStatus(
                ShardCheckpoint.EMPTY, true, new TreeMap<>(Map.of(1L, equal)), Refusals.NONE.plus("a test"));
        ShardCheckpoint other = ShardCheckpoint.EMPTY.withQuarantined(7);

        assertThat(status.with(other)).isEqualTo(new ShardStatus(other, true, status.digests(), status.refusals()));
    }
}
