package dev.tidemark.writer.testkit;

import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.outbox.Outbox;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.delete;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.update;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

/** What every {@link Outbox} does. */
public abstract class OutboxContract {
    private static final long NO_BOUND = Long.MAX_VALUE;

    private StoreFixture fixture = StoreFixture.inMemory();

    protected abstract StoreFixture open();

    @BeforeEach
    void openStores() {
        fixture = open();
    }

    @AfterEach
    void closeStores() {
        fixture.close();
    }

    @Test
    void givesChangesAsTheyWereCommitted() {
        commit(batch(put(1, 10, "Redmond"), delete(2, 10)));

        assertThat(fixture.stores().outbox().readAfter(0, 10, NO_BOUND))
                .containsExactly(put(1, 10, "Redmond"), delete(2, 10));
    }

    @Test
    void givesThePlacementsOfChanges() {
        DerivedTable home = new DerivedTable("customers", "by_town", 7);
        List<Placement> moved = List.of(new Placement(home, 2, false), new Placement(home, 5, true));
        CommittedChange plain = put(1, 10, "Redmond");
        CommittedChange placed = update(2, 10, "Tacoma").placed(moved);
        CommittedChange gone = delete(3, 10).placed(List.of(new Placement(home, 5, false)));
        commit(batch(plain, placed, gone));

        assertThat(fixture.reopened().outbox().readAfter(0, 10, NO_BOUND)).containsExactly(plain, placed, gone);
    }

    @Test
    void readsAfterASequenceAndWithinBounds() {
        commitThree();
        Outbox outbox = fixture.stores().outbox();

        assertThat(sequences(outbox.readAfter(1, 10, NO_BOUND))).containsExactly(2L, 3L);
        assertThat(sequences(outbox.readAfter(0, 2, NO_BOUND))).containsExactly(1L, 2L);
        assertThat(sequences(outbox.readAfter(0, 10, 1))).containsExactly(1L);
        assertThat(outbox.readAfter(3, 10, NO_BOUND)).isEmpty();
    }

    @Test
    void marksSurviveReopening() {
        commitThree();
        fixture.stores().outbox().markPublished(2);

        Outbox outbox = fixture.reopened().outbox();

        assertThat(outbox.publishedThrough()).isEqualTo(2);
        assertThat(outbox.lowWaterMark()).isZero();
        assertThat(sequences(outbox.readAfter(0, 10, NO_BOUND))).containsExactly(1L, 2L, 3L);
    }

    @Test
    void trimmedChangesAreGone() {
        commitThree();
        Outbox outbox = fixture.stores().outbox();
        outbox.markPublished(3);

        outbox.trim(2);

        assertThat(outbox.lowWaterMark()).isEqualTo(2);
        assertThat(sequences(outbox.readAfter(0, 10, NO_BOUND))).containsExactly(3L);
        Outbox again = fixture.reopened().outbox();
        assertThat(again.lowWaterMark()).isEqualTo(2);
        assertThat(sequences(again.readAfter(0, 10, NO_BOUND))).containsExactly(3L);
    }

    @Test
    void trimmingLessThanBeforeChangesNothing() {
        commitThree();
        Outbox outbox = fixture.stores().outbox();
        outbox.markPublished(3);
        outbox.trim(2);

        outbox.trim(1);

        assertThat(outbox.lowWaterMark()).isEqualTo(2);
    }

    @Test
    void refusesToTrimWhatIsNotPublished() {
        commitThree();
        Outbox outbox = fixture.stores().outbox();
        outbox.markPublished(1);

        assertThatIllegalArgumentException().isThrownBy(() -> outbox.trim(2));
    }

    private void commitThree() {
        commit(batch(put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c")));
    }

    private void commit(FactBatch batch) {
        fixture.stores().facts().commit(batch);
        committed(batch);
    }

    /** Called after each commit, for an outbox that listens to commits. */
    protected void committed(FactBatch batch) {
        // Does nothing unless it is overridden.
    }

    private static List<Long> sequences(List<CommittedChange> changes) {
        return changes.stream().map(CommittedChange::sequence).toList();
    }
}
