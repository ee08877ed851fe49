package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.testkit.ChangeLog;

import static org.assertj.core.api.Assertions.assertThat;

class KeyChangesTest {
    private static final long GENERATION = 4;

    private final KeyChanges changes = new KeyChanges();

    @Test
    void anUpdateMovesARowWhereItHasOtherKeysThanBefore() {
        note(live(1, 7), live(2, 7));
        assertThat(changes.updates()).isEqualTo(1);
        assertThat(changes.moved()).isZero();

        note(live(2, 7), live(3, 8));
        note(live(3, 8), live(4, 9));
        assertThat(changes.updates()).isEqualTo(3);
        assertThat(changes.moved()).isEqualTo(2);
    }

    @Test
    void aRowThatComesOrGoesIsNoUpdate() {
        RowState deleted = RowState.without(ChangeLog.version(2), Standing.DELETED);

        changes.note(GENERATION, Optional.empty(), Optional.of(live(1, 7)));
        changes.note(GENERATION, Optional.of(live(1, 7)), Optional.empty());
        note(live(1, 7), deleted);
        note(deleted, live(3, 7));

        assertThat(changes.updates()).isZero();
    }

    @Test
    void theSameVersionAgainIsNoUpdate() {
        note(live(1, 7), live(1, 8));

        assertThat(changes.updates()).isZero();
        assertThat(changes.moved()).isZero();
    }

    @Test
    void aRowThatWasNotDerivedBothTimesIsNoUpdate() {
        RowState underived = new RowState(ChangeLog.version(2), Standing.LIVE, Map.of());

        note(live(1, 7), underived);
        note(underived, live(3, 7));

        assertThat(changes.updates()).isZero();
    }

    private void note(RowState before, RowState after) {
        changes.note(GENERATION, Optional.of(before), Optional.of(after));
    }

    /** A row with one key. */
    private static RowState live(long version, int key) {
        Entries entries = new Entries(List.of(KeyBytes.wrap(new byte[] {(byte) key})), 0, Optional.empty());
        return new RowState(ChangeLog.version(version), Standing.LIVE, Map.of(GENERATION, entries));
    }
}
