package dev.tidemark.http;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.memory.MemoryBudget.Part;
import dev.tidemark.memory.MemoryBudget.Reservation;

import static org.assertj.core.api.Assertions.assertThat;

class HttpMemoryTest {
    private static final long BYTES = 64 * HttpMemory.SMALL_BYTES;

    private final MemoryBudget budget = new MemoryBudget(BYTES);
    private final HttpMemory memory = new HttpMemory(budget);

    @Test
    void smallAnswersAreCountedAsAPartAndSoIsWhatIsRefusedOfThem() {
        Part small = budget.parts().stream()
                .filter(part -> part.name().equals("small_answers"))
                .findFirst()
                .orElseThrow();
        assertThat(small.reserved()).isZero();

        for (int i = 0; i < 4; i++) {
            assertThat(memory.forCall().settle(HttpMemory.SMALL_BYTES)).isTrue();
        }
        assertThat(small.reserved()).isEqualTo(small.limit());
        assertThat(memory.forCall().settle(1)).isFalse();
        assertThat(small.refusals()).isOne();
    }

    @Test
    void smallAnswersHaveMemoryThatNothingElseTakes() {
        Part others = budget.part("others", 1);
        Reservation all = others.tryReserve(BYTES - budget.reserved()).orElseThrow();

        assertThat(budget.reserved()).isEqualTo(BYTES);
        assertThat(memory.forCall().settle(HttpMemory.SMALL_BYTES)).isTrue();
        assertThat(memory.forCall().settle(HttpMemory.SMALL_BYTES + 1)).isFalse();
        assertThat(memory.forCall().built().tryGrow(HttpMemory.SMALL_BYTES + 1)).isFalse();
        all.close();
        assertThat(memory.forCall().built().tryGrow(HttpMemory.SMALL_BYTES + 1)).isTrue();
    }
}
