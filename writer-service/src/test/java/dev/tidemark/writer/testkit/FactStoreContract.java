package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.StoredRow;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.delete;
import static dev.tidemark.writer.testkit.TestTables.json;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.update;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

/** What every {@link FactStore} does. */
public abstract class FactStoreContract {
    private static final long NO_BOUND = Long.MAX_VALUE;
    private static final long SEED = 20_261_123;

    private StoreFixture fixture = StoreFixture.inMemory();

    protected abstract StoreFixture open();

    /** How many commits of random changes are made. */
    protected int steps() {
        return 400;
    }

    @BeforeEach
    void openStores() {
        fixture = open();
    }

    @AfterEach
    void closeStores() {
        fixture.close();
    }

    @Test
    void beginsEmptyInTheFirstEpoch() {
        FactStore store = fixture.stores().facts();

        assertThat(store.lastCommit()).isEqualTo(new CommitPosition(new RowVersion(1, 0), Instant.EPOCH));
        assertThat(store.find("customers", customerKey(1))).isNull();
        assertThat(store.scan("customers", null, 10, NO_BOUND)).isEqualTo(new ScanPage(List.of(), false));
    }

    @Test
    void givesBackWhatWasCommitted() {
        FactStore store = fixture.stores().facts();

        store.commit(batch(put(1, 10, "Redmond"), put(2, 20, "Bothell")));

        assertThat(store.find("customers", customerKey(10)))
                .isEqualTo(new StoredRow(version(1), timeOf(1), customer(10, "Redmond")));
        assertThat(store.find("movies", customerKey(10))).isNull();
        assertThat(store.lastCommit()).isEqualTo(new CommitPosition(version(2), timeOf(2)));
    }

    @Test
    void theLastChangeOfARowInABatchCounts() {
        FactStore store = fixture.stores().facts();

        store.commit(
                batch(put(1, 10, "Redmond"), delete(2, 10), put(3, 10, "Kirkland"), put(4, 11, "x"), delete(5, 11)));

        assertThat(store.find("customers", customerKey(10)))
                .isEqualTo(new StoredRow(version(3), timeOf(3), customer(10, "Kirkland")));
        assertThat(store.find("customers", customerKey(11))).isNull();
    }

    @Test
    void theCommitterIsToldOfRowsAsAnybodyIs() {
        FactStore store = fixture.stores().facts();
        Random random = new Random(SEED);
        long sequence = 0;
        for (int step = 0; step < steps(); step++) {
            List<CommittedChange> changes = new ArrayList<>();
            for (int i = 0; i < 20; i++) {
                changes.add(change(++sequence, store, random));
            }
            store.commit(batch(changes.toArray(CommittedChange[]::new)));
            for (int i = 0; i < 20; i++) {
                KeyBytes key = customerKey(random.nextInt(2_100));
                assertThat(store.current("customers", key))
                        .as("seed %d, step %d, row %s", SEED, step, key)
                        .isEqualTo(store.find("customers", key));
            }
            if (step == steps() * 3 / 4) {
                store = fixture.reopened().facts();
            }
        }
    }

    @Test
    void theCommitterIsToldTheDigestsOfRowsThatItReplacedLately() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 10, "a"), put(2, 20, "b")));

        store.commit(batch(with(Map.of(1L, new Digest(2, 3), 4L, new Digest(-5, 6)), update(3, 10, "c"))));
        store.commit(batch(with(Map.of(1L, new Digest(7, 8)), update(4, 20, "d"))));
        store.commit(batch(delete(5, 20)));

        assertThat(store.current("customers", customerKey(10)))
                .isEqualTo(new StoredRow(
                        version(3), timeOf(3), customer(10, "c"), Map.of(1L, new Digest(2, 3), 4L, new Digest(-5, 6))));
        assertThat(store.current("customers", customerKey(20))).isNull();
        StoredRow stored = new StoredRow(version(3), timeOf(3), customer(10, "c"));
        assertThat(store.find("customers", customerKey(10))).isEqualTo(stored);
        assertThat(fixture.reopened().facts().current("customers", customerKey(10)))
                .isEqualTo(stored);
    }

    private static CommittedChange with(Map<Long, Digest> digests, CommittedChange change) {
        return new CommittedChange(change.table(), change.partition(), change.event(), digests, change.placements());
    }

    private static CommittedChange change(long sequence, FactStore store, Random random) {
        int row = random.nextInt(2_000);
        if (random.nextInt(5) == 0) {
            return delete(sequence, row);
        }
        boolean isThere = store.find("customers", customerKey(row)) != null;
        return isThere ? update(sequence, row, town(random)) : put(sequence, row, town(random));
    }

    /** Some are too large for anybody to keep in memory. */
    private static String town(Random random) {
        return "x".repeat(random.nextInt(200) == 0 ? 200_000 : random.nextInt(500));
    }

    @Test
    void findsSeveralRowsInTheOrderAsked() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 1, "a"), put(2, 2, "b")));

        List<KeyBytes> keys = List.of(customerKey(2), customerKey(9), customerKey(1), customerKey(2));

        assertThat(store.findAll("customers", keys))
                .extracting(row ->
                        row == null ? "none" : row.row().tree().path("town").asText())
                .containsExactly("b", "none", "a", "b");
    }

    @Test
    void scansInKeyOrderPageByPage() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 3, "c"), put(2, -1, "a"), put(3, 200, "e"), put(4, 0, "b"), put(5, 10, "d")));

        ScanPage first = store.scan("customers", null, 2, NO_BOUND);
        ScanPage second = store.scan("customers", last(first), 2, NO_BOUND);
        ScanPage third = store.scan("customers", last(second), 2, NO_BOUND);

        assertThat(towns(first)).containsExactly("a", "b");
        assertThat(towns(second)).containsExactly("c", "d");
        assertThat(towns(third)).containsExactly("e");
        assertThat(List.of(first.more(), second.more(), third.more())).containsExactly(true, true, false);
    }

    @Test
    void aScanStopsAtTheByteBoundButAlwaysMovesOn() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 1, "a"), put(2, 2, "b")));

        ScanPage page = store.scan("customers", null, 10, 1);

        assertThat(towns(page)).containsExactly("a");
        assertThat(page.more()).isTrue();
    }

    @Test
    void everythingIsThereAfterReopening() {
        fixture.stores().facts().commit(batch(put(1, 1, "a"), put(2, 2, "b"), delete(3, 2)));

        FactStore store = fixture.reopened().facts();

        assertThat(towns(store.scan("customers", null, 10, NO_BOUND))).containsExactly("a");
        assertThat(store.lastCommit()).isEqualTo(new CommitPosition(version(3), timeOf(3)));
    }

    @Test
    void aPromiseCountsWhereItIsLaterThanTheLastCommit() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 1, "a")));

        store.reserveTimestamps(timeOf(1).minusSeconds(5));
        assertThat(store.lastCommit()).isEqualTo(new CommitPosition(version(1), timeOf(1)));

        store.reserveTimestamps(timeOf(1).plusSeconds(5));
        assertThat(fixture.reopened().facts().lastCommit())
                .isEqualTo(new CommitPosition(version(1), timeOf(1).plusSeconds(5)));
    }

    @Test
    void aSnapshotHoldsTheRowsOfOneTableInKeyOrder() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 3, "c"), put(2, -1, "a"), put(3, 200, "d"), delete(4, 200)));

        try (FactSnapshot snapshot = store.snapshot("customers");
                FactSnapshot other = store.snapshot("movies")) {
            assertThat(rest(snapshot))
                    .containsExactly(
                            new KeyedRow(customerKey(-1), new StoredRow(version(2), timeOf(2), customer(-1, "a"))),
                            new KeyedRow(customerKey(3), new StoredRow(version(1), timeOf(1), customer(3, "c"))));
            assertThat(rest(other)).isEmpty();
            assertThat(other.point()).isEqualTo(new CommitPosition(version(4), timeOf(4)));
        }
    }

    @Test
    void aSnapshotShowsWhatWasCommittedUpToItsPointAndNothingLater() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 1, "a"), put(2, 2, "b")));
        store.reserveTimestamps(timeOf(2).plusSeconds(5));

        try (FactSnapshot snapshot = store.snapshot("customers")) {
            store.commit(batch(put(3, 1, "later"), delete(4, 2), put(5, 3, "new")));

            assertThat(snapshot.point()).isEqualTo(new CommitPosition(version(2), timeOf(2)));
            assertThat(rest(snapshot))
                    .extracting(row -> row.stored().version())
                    .containsExactly(version(1), version(2));
        }
    }

    @Test
    void digestsAreStoredWithTheChangesThatMoveThem() {
        FactStore store = fixture.stores().facts();
        DigestKey moved = new DigestKey(7, 1);
        DigestKey other = new DigestKey(8, 0);
        FactBatch first = batch(put(1, 1, "a"));
        FactBatch second = batch(put(2, 2, "b"));

        store.commit(new FactBatch(
                first.changes(), first.through(), Map.of(moved, new Digest(1, 2), other, new Digest(3, 4)), Map.of()));
        store.commit(new FactBatch(second.changes(), second.through(), Map.of(moved, new Digest(-5, 6)), Map.of()));

        assertThat(fixture.reopened().facts().digests())
                .isEqualTo(Map.of(moved, new Digest(-5, 6), other, new Digest(3, 4)));
    }

    @Test
    void thePositionOfASourceIsStoredWithTheRowsUpToIt() {
        FactStore store = fixture.stores().facts();
        FactBatch rows = batch(put(1, 1, "a"));
        SourcePosition first =
                new SourcePosition(json("{'lsn':17}"), Optional.empty(), Map.of("customers", 3L), RowVersion.NONE);
        SourcePosition second = new SourcePosition(
                json("{'lsn':18,'more':[1.50]}"),
                Optional.of(timeOf(1)),
                Map.of("customers", 3L, "movies", 4L),
                RowVersion.NONE);
        SourcePosition other = new SourcePosition(json("{}"), Optional.empty(), Map.of(), RowVersion.NONE);

        assertThat(store.sourcePosition("shop")).isEmpty();
        store.commit(
                new FactBatch(rows.changes(), rows.through(), Map.of(), Map.of("shop", first, "warehouse", other)));
        assertThat(store.sourcePosition("shop")).contains(first);
        CommitPosition later = new CommitPosition(version(1), timeOf(2));
        store.commit(new FactBatch(List.of(), later, Map.of(), Map.of("shop", second)));

        FactStore reopened = fixture.reopened().facts();
        assertThat(reopened.sourcePosition("shop")).contains(second);
        assertThat(reopened.sourcePosition("warehouse")).contains(other);
        assertThat(reopened.sourcePosition("nobody")).isEmpty();
        assertThat(reopened.lastCommit()).isEqualTo(later);
        assertThat(towns(reopened.scan("customers", null, 10, NO_BOUND))).containsExactly("a");
    }

    @Test
    void digestsAreKeptAndForgottenByGeneration() {
        FactStore store = fixture.stores().facts();
        store.keepDigests(
                Map.of(
                        new DigestKey(7, 0), new Digest(1, 1),
                        new DigestKey(7, 1), new Digest(2, 2),
                        new DigestKey(8, 0), new Digest(3, 3)),
                Set.of());

        store.keepDigests(Map.of(new DigestKey(9, 0), Digest.EMPTY), Set.of(7L, 100L));

        assertThat(fixture.reopened().facts().digests())
                .isEqualTo(Map.of(new DigestKey(8, 0), new Digest(3, 3), new DigestKey(9, 0), Digest.EMPTY));
    }

    @Test
    void anEpochThatBeganIsRememberedWithItsPlace() {
        FactStore store = fixture.stores().facts();
        store.commit(batch(put(1, 1, "a")));
        CommitPosition begun = new CommitPosition(new RowVersion(2, 1), timeOf(5));

        store.beginEpoch(begun);

        FactStore reopened = fixture.reopened().facts();
        assertThat(reopened.lastCommit()).isEqualTo(begun);
        assertThat(reopened.find("customers", customerKey(1))).isNotNull();
    }

    private static List<KeyedRow> rest(FactSnapshot snapshot) {
        List<KeyedRow> rows = new ArrayList<>();
        for (KeyedRow row = snapshot.next(); row != null; row = snapshot.next()) {
            rows.add(row);
        }
        return rows;
    }

    private static KeyBytes last(ScanPage page) {
        return page.rows().get(page.rows().size() - 1).key();
    }

    private static List<String> towns(ScanPage page) {
        List<String> towns = new ArrayList<>();
        for (KeyedRow row : page.rows()) {
            towns.add(row.stored().row().tree().path("town").asText());
        }
        return towns;
    }
}
