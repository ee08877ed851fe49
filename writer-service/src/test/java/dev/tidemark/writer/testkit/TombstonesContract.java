package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.delete;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.update;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

/** What every {@link Tombstones} does. */
public abstract class TombstonesContract {
    private StoreFixture fixture = StoreFixture.inMemory();

    protected abstract StoreFixture open();

    @BeforeEach
    void openStores() {
        fixture = open();
        fixture.stores()
                .facts()
                .commit(batch(put(1, 1, "a"), put(2, 2, "b"), delete(3, 1), put(4, 1, "c"), delete(5, 2)));
    }

    @AfterEach
    void closeStores() {
        fixture.close();
    }

    @Test
    void deletesFallDueInTheirOrder() {
        Tombstones tombstones = fixture.stores().tombstones();

        assertThat(tombstones.due(timeOf(3).minusNanos(1_000), Optional.empty(), 10))
                .isEmpty();
        assertThat(tombstones.due(timeOf(3), Optional.empty(), 10)).containsExactly(tombstone(3, 1));
        assertThat(tombstones.due(timeOf(9), Optional.empty(), 10)).containsExactly(tombstone(3, 1), tombstone(5, 2));
        assertThat(tombstones.due(timeOf(9), Optional.empty(), 1)).containsExactly(tombstone(3, 1));
    }

    @Test
    void nothingFallsDueBefore1970() {
        assertThat(fixture.stores().tombstones().due(Instant.EPOCH.minusSeconds(1), Optional.empty(), 10))
                .isEmpty();
    }

    @Test
    void removedOnesDoNotFallDueAgain() {
        Tombstones tombstones = fixture.stores().tombstones();

        tombstones.remove(List.of(tombstone(3, 1)));

        assertThat(tombstones.due(timeOf(9), Optional.empty(), 10)).containsExactly(tombstone(5, 2));
        assertThat(fixture.reopened().tombstones().due(timeOf(9), Optional.empty(), 10))
                .containsExactly(tombstone(5, 2));
    }

    @Test
    void deletesComePageByPage() {
        Tombstones tombstones = fixture.stores().tombstones();
        tombstones.due(timeOf(9), Optional.empty(), 10);

        List<Tombstone> first = tombstones.due(timeOf(9), Optional.empty(), 1);
        assertThat(first).containsExactly(tombstone(3, 1));
        assertThat(tombstones.due(timeOf(9), Optional.of(first.get(0)), 10)).containsExactly(tombstone(5, 2));
        assertThat(tombstones.due(timeOf(4), Optional.of(first.get(0)), 10)).isEmpty();
        assertThat(tombstones.due(timeOf(9), Optional.of(tombstone(5, 2)), 10)).isEmpty();
    }

    /** As where a walk goes on behind those that it had removed. */
    @Test
    void aPageBeginsBehindOneThatIsGone() {
        Tombstones tombstones = fixture.stores().tombstones();

        tombstones.remove(List.of(tombstone(3, 1)));

        assertThat(tombstones.due(timeOf(9), Optional.of(tombstone(3, 1)), 10)).containsExactly(tombstone(5, 2));
    }

    @Test
    void aTimeFarAheadFindsAllThatThereAre() {
        assertThat(fixture.stores().tombstones().due(Instant.parse("2200-01-01T00:00:00Z"), Optional.empty(), 10))
                .hasSize(2);
    }

    @Test
    void aLaterDeleteOfTheSameRowSupersedes() {
        fixture.stores().facts().commit(batch(delete(6, 1)));
        Tombstones tombstones = fixture.reopened().tombstones();

        assertThat(tombstones.isSuperseded(tombstone(3, 1))).isTrue();
        assertThat(tombstones.isSuperseded(tombstone(5, 2))).isFalse();
        assertThat(tombstones.isSuperseded(tombstone(6, 1))).isFalse();

        tombstones.remove(List.of(tombstone(3, 1)));

        assertThat(tombstones.due(timeOf(9), Optional.empty(), 10)).containsExactly(tombstone(5, 2), tombstone(6, 1));
        assertThat(tombstones.isSuperseded(tombstone(6, 1))).isFalse();
    }

    @Test
    void partitionsOfGlobalIndexesForgetRowsThatHaveLeftThem() {
        forgets(new DerivedTable("customers", "by_town", 7));
    }

    @Test
    void partitionsOfLayoutsForgetRowsThatWereDeleted() {
        forgets(new DerivedTable("customers", "", 7));
    }

    private void forgets(DerivedTable home) {
        fixture.stores()
                .facts()
                .commit(batch(
                        update(6, 3, "b")
                                .placed(List.of(
                                        new Placement(home, 1, false),
                                        new Placement(home, 2, false),
                                        new Placement(home, 3, true))),
                        delete(7, 3).placed(List.of(new Placement(home, 2, false)))));
        Tombstones tombstones = fixture.reopened().tombstones();
        Tombstone first = derived(home, 6, 1);
        Tombstone second = derived(home, 6, 2);
        Tombstone last = derived(home, 7, 2);

        List<Tombstone> all = tombstones.due(timeOf(9), Optional.empty(), 10);
        assertThat(all).containsExactly(tombstone(3, 1), tombstone(5, 2), first, second, tombstone(7, 3), last);
        assertThat(tombstones.due(timeOf(6), Optional.of(tombstone(5, 2)), 10)).containsExactly(first, second);
        for (int i = 0; i < all.size() - 1; i++) {
            assertThat(tombstones.due(timeOf(9), Optional.of(all.get(i)), 1)).containsExactly(all.get(i + 1));
        }
        assertThat(tombstones.isSuperseded(first)).isFalse();
        assertThat(tombstones.isSuperseded(second)).isTrue();

        tombstones.remove(List.of(first, second));
        assertThat(tombstones.due(timeOf(9), Optional.empty(), 10))
                .containsExactly(tombstone(3, 1), tombstone(5, 2), tombstone(7, 3), last);
    }

    private static Tombstone derived(DerivedTable home, long sequence, int partition) {
        return new Tombstone(home.name(), partition, customerKey(3), version(sequence), timeOf(sequence));
    }

    private static Tombstone tombstone(long sequence, long id) {
        return new Tombstone(
                "customers",
                CUSTOMERS.partitionOf(customerKey(id)),
                customerKey(id),
                version(sequence),
                timeOf(sequence));
    }
}
