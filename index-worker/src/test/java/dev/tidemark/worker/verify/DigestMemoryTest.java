package dev.tidemark.worker.verify;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.memory.MemoryBudget.Reservation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class DigestMemoryTest {
    private static final long MANY = 1_000_000_000;

    @Test
    void oneSumMayHaveAQuarterOfTheMemory() throws Exception {
        MemoryBudget.Part memory = new MemoryBudget(4 << 20).part("verification", 1);
        try (DigestMemory room = new DigestMemory(memory, 1)) {
            room.buckets(MANY);
            assertThat(memory.reserved()).isEqualTo(1 << 20);
        }
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aSumOfFewRowsTakesNoMoreThanItNeeds() throws Exception {
        MemoryBudget.Part memory = new MemoryBudget(64 << 20).part("verification", 1);
        try (DigestMemory room = new DigestMemory(memory, 1)) {
            room.buckets(1L << 18);
            assertThat(memory.reserved()).isEqualTo(16 << 13);
        }
    }

    @Test
    void noSumIsCoarserThanTheCoarsestHoweverManyThereAre() throws Exception {
        MemoryBudget.Part memory = new MemoryBudget(1 << 20).part("verification", 1);
        try (DigestMemory room = new DigestMemory(memory, 1_000)) {
            room.buckets(MANY);
            assertThat(memory.reserved()).isEqualTo(64 << 10);
        }
    }

    @Test
    void aSumIsCoarserWhereOthersHoldTheMemoryAndThereIsNoneWithoutRoomForTheCoarsest() throws Exception {
        MemoryBudget budget = new MemoryBudget(4 << 20);
        MemoryBudget.Part memory = budget.part("verification", 1);
        MemoryBudget.Part others = budget.part("others", 1);
        try (Reservation taken = others.reserve((4 << 20) - (127 << 10));
                DigestMemory room = new DigestMemory(memory, 1)) {
            room.buckets(MANY);
            assertThat(memory.reserved()).isEqualTo(64 << 10);

            assertThatThrownBy(() -> room.buckets(MANY))
                    .isInstanceOf(CannotVerifyException.class)
                    .hasMessage("there is no memory left for the sums of a comparison");
            assertThat(taken.bytes()).isPositive();
        }
        assertThat(budget.reserved()).isZero();
    }
}
