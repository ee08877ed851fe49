package dev.tidemark.worker.verify;

import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ShardComparisonTest {
    @Test
    void leavesNoViewOpenOfAShardThatDoesNotHoldTheGeneration() {
        VerifyFixture fixture = new VerifyFixture(1);
        DigestMemory room = new DigestMemory(MemoryBudget.unlimited().part("verification", 1), 1);

        assertThatThrownBy(() -> ShardComparison.open(fixture.shards().get(0), "people-0", List.of(99L), room))
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("shard people-0 does not hold generation 99 yet");
        assertThat(fixture.openReaders()).isZero();
    }
}
