package dev.tidemark.deploy.simulation;

import java.time.Instant;
import java.util.Map;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

import static org.assertj.core.api.Assertions.assertThat;

class SimulatedPartitionTest {
    private final SimulatedPartition partition = new SimulatedPartition();

    @Test
    void whoHasReadWhatTwoLeadersLostOneAfterTheOtherFindsOut() {
        append(5);

        partition.lose(1, Instant.EPOCH);
        partition.lose(2, Instant.EPOCH);
        append(10);

        assertThat(partition.hasLost(4, 0)).isTrue();
        assertThat(partition.hasLost(3, 0)).isTrue();
        assertThat(partition.hasLost(2, 0)).isFalse();
    }

    @Test
    void whoHasReadWhatIsThereAgainWasToldByTheNextLeader() {
        append(5);
        partition.lose(3, Instant.EPOCH);
        append(3);

        assertThat(partition.hasLost(5, 0)).isTrue();
        assertThat(partition.hasLost(5, partition.leaderEpoch())).isFalse();
    }

    private void append(int records) {
        for (int i = 0; i < records; i++) {
            KeyBytes key = KeyBytes.wrap(new byte[] {(byte) i});
            partition.append(new WireRecord(key, key, Map.of()), Instant.EPOCH.plusSeconds(1));
        }
    }
}
