package dev.tidemark.worker.query;

import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;

import static org.assertj.core.api.Assertions.assertThat;

class PageMemoryTest {
    private static final int STEP = 64 << 10;

    private final MemoryBudget budget = new MemoryBudget(256 << 20);
    private final MemoryBudget.Part pages = budget.part("pages", 1);

    @Test
    void anAnswerIsFullOnceItHasSoManyBytesOfEntriesOrOfRows() throws Exception {
        int most = (int) PageMemory.MOST_BYTES;
        try (PageMemory entries = PageMemory.open(pages);
                PageMemory rows = PageMemory.open(pages)) {
            assertThat(entries.takeEntry(10, most - 11)).isTrue();
            assertThat(rows.takeRow(most - 1)).isTrue();
            assertThat(entries.isFull()).isFalse();
            assertThat(rows.isFullOfRows()).isFalse();

            assertThat(entries.takeEntry(1, 0)).isTrue();
            assertThat(rows.takeRow(1)).isTrue();
            assertThat(entries.isFull()).isTrue();
            assertThat(entries.isFullOfRows()).isFalse();
            assertThat(rows.isFullOfRows()).isTrue();
            assertThat(rows.isFull()).isFalse();
        }
    }

    @Test
    void reservesAgainOnlyForWhatDoesNotFit() throws Exception {
        try (PageMemory room = PageMemory.open(pages)) {
            assertThat(room.takeRow(STEP / 2)).isTrue();
            assertThat(budget.reserved()).isEqualTo(STEP);
            assertThat(room.takeRow(1)).isTrue();
            assertThat(budget.reserved()).isEqualTo(2 * STEP);
            assertThat(room.takeRow(STEP)).isTrue();
            assertThat(budget.reserved()).isEqualTo(4 * STEP - (STEP - 2));
        }
        assertThat(budget.reserved()).isZero();
    }

    @Test
    void anEntryTakesTenTimesItsKeyAndTwiceWhatItCarries() throws Exception {
        try (PageMemory room = PageMemory.open(pages)) {
            assertThat(room.takeEntry(6_502, 2)).isTrue();
            assertThat(budget.reserved()).isEqualTo(STEP);
            assertThat(room.takeEntry(0, 0)).isTrue();
            assertThat(budget.reserved()).isEqualTo(2 * STEP);
        }
    }

    @Test
    void takesTheLastOfTheMemoryWhereNoWholeStepIsLeft() throws Exception {
        try (PageMemory room = PageMemory.open(pages);
                MemoryBudget.Reservation others =
                        pages.tryReserve(budget.bytes() - STEP - 1_000).orElseThrow()) {
            assertThat(room.takeRow(STEP / 2 + 501)).isFalse();
            assertThat(room.takeRow(STEP / 2 + 500)).isTrue();
            assertThat(room.content()).isEqualTo(STEP / 2 + 500);
            assertThat(room.takeEntry(0, 0)).isFalse();
            assertThat(budget.reserved()).isEqualTo(budget.bytes());
            assertThat(room.forReading(1)).isEmpty();
            others.shrinkTo(0);
        }
    }

    @Test
    void countsTheBytesOfEntriesAndRowsAndNotWhatIsReadMeanwhile() throws Exception {
        try (PageMemory room = PageMemory.open(pages)) {
            room.takeEntry(10, 20);
            room.takeRow(300);
            Optional<MemoryBudget.Reservation> reading = room.forReading(5_000);
            assertThat(reading.map(MemoryBudget.Reservation::bytes)).contains(5_000L);
            assertThat(room.content()).isEqualTo(330);
            assertThat(budget.reserved()).isEqualTo(STEP + 5_000);
            reading.orElseThrow().close();
        }
    }
}
