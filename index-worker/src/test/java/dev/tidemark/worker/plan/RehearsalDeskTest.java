package dev.tidemark.worker.plan;

import java.util.List;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class RehearsalDeskTest {
    private final RehearsalDesk desk = new RehearsalDesk();

    @Test
    void rehearsalsOfLargeCatalogsAreForgottenSooner() {
        for (int i = 0; i < RehearsalDesk.KEPT; i++) {
            Rehearsal rehearsal =
                    desk.ask(Tables.catalog(), RehearsalDesk.KEPT_BYTES / 4, 1).orElseThrow();
            desk.tell(rehearsal.id(), new Rehearsal.Done(List.of()));
        }

        assertThat(LongStream.rangeClosed(1, RehearsalDesk.KEPT)
                        .filter(id -> desk.find(id).isPresent()))
                .containsExactly(13L, 14L, 15L, 16L);
    }

    @Test
    void thoseThatAreNotOverAreKept() {
        for (int i = 0; i < RehearsalDesk.MOST_WAITING; i++) {
            assertThat(desk.ask(Tables.catalog(), RehearsalDesk.KEPT_BYTES, 1)).isPresent();
        }

        assertThat(desk.find(1)).isPresent();
    }
}
