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
            assertThat(memory.answer(HttpMemory.SMALL_BYTES)).isPresent();
        }
        assertThat(small.reserved()).isEqualTo(small.limit());
        assertThat(memory.answer(1)).isEmpty();
        assertThat(small.refusals()).isOne();
    }

    @Test
    void smallAnswersHaveMemoryThatNothingElseTakes() {
        Part others = budget.part("others", 1);
        Reservation all = others.tryReserve(BYTES - budget.reserved()).orElseThrow();

        assertThat(budget.reserved()).isEqualTo(BYTES);
        assertThat(memory.answer(HttpMemory.SMALL_BYTES)).isPresent();
        assertThat(memory.largeAnswer(HttpMemory.SMALL_BYTES + 1)).isEmpty();
        all.close();
        assertThat(memory.largeAnswer(HttpMemory.SMALL_BYTES + 1)).isPresent();
    }
}
