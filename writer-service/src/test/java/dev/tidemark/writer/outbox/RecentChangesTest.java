package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.OutboxContract;
import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

class RecentChangesTest extends OutboxContract {
    private static final long NO_BOUND = Long.MAX_VALUE;

    private RecentChanges contract = over(new InMemoryDisk(), NO_BOUND);
    private final InMemoryDisk disk = new InMemoryDisk();

    @Override
    protected StoreFixture open() {
        InMemoryDisk shared = new InMemoryDisk();
        contract = over(shared, NO_BOUND);
        return new StoreFixture() {
            @Override
            public WriterStores stores() {
                WriterStores stores = WriterStores.on(shared);
                return new WriterStores(
                        stores.facts(), contract, stores.tombstones(), stores.ledger(), stores.definitions());
            }

            @Override
            public WriterStores reopened() {
                contract = over(shared, NO_BOUND);
                return stores();
            }

            @Override
            public void close() {
                // Nothing is open.
            }
        };
    }

    @Override
    protected void committed(FactBatch batch) {
        contract.committed(batch, Duration.ZERO);
    }

    @Test
    void changesAreGivenWithoutTheStoreOnceTheyAreCommitted() {
        RecentChanges recent = over(disk, NO_BOUND);
        note(recent, put(1, 1, "a"), put(2, 2, "b"));
        note(recent, put(3, 3, "c"));

        assertThat(sequences(recent, 0)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void changesLeaveTheHeapWhereLaterOnesAreAskedFor() {
        RecentChanges recent = over(disk, NO_BOUND);
        note(recent, put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c"));

        assertThat(sequences(recent, 2)).containsExactly(3L);
        assertThat(sequences(recent, 0)).isEmpty();
        assertThat(sequences(recent, 2)).containsExactly(3L);
    }

    @Test
    void theOldestChangesLeaveTheHeapWhereTheyAreTooLarge() {
        CommittedChange third = put(3, 3, "c");
        RecentChanges recent = over(disk, third.bytes() * 2);
        note(recent, put(1, 1, "a"), put(2, 2, "b"), third);

        assertThat(sequences(recent, 0)).isEmpty();
        assertThat(sequences(recent, 1)).containsExactly(2L, 3L);
    }

    @Test
    void changesAfterOnesThatWereNotHeardOfComeFromTheStore() {
        RecentChanges recent = over(disk, NO_BOUND);
        commit(recent, put(1, 1, "a"));
        WriterStores.on(disk).facts().commit(batch(put(2, 2, "b")));
        commit(recent, put(3, 3, "c"));

        assertThat(sequences(recent, 0)).containsExactly(1L, 2L, 3L);
    }

    @Test
    void aCommitThatIsHeardOfLateIsNotPutBehindLaterOnes() {
        RecentChanges recent = over(disk, NO_BOUND);
        note(recent, put(2, 2, "b"));
        note(recent, put(1, 1, "a"));

        assertThat(sequences(recent, 1)).isEmpty();
    }

    @Test
    void trimmedChangesLeaveTheHeap() {
        RecentChanges recent = over(disk, NO_BOUND);
        commit(recent, put(1, 1, "a"), put(2, 2, "b"));
        recent.markPublished(2);
        recent.trim(2);

        assertThat(sequences(recent, 0)).isEmpty();
        assertThat(recent.lowWaterMark()).isEqualTo(2);
    }

    private static RecentChanges over(InMemoryDisk disk, long maxBytes) {
        return new RecentChanges(WriterStores.on(disk).outbox(), maxBytes);
    }

    private void commit(RecentChanges recent, CommittedChange... changes) {
        WriterStores.on(disk).facts().commit(batch(changes));
        note(recent, changes);
    }

    private static void note(RecentChanges recent, CommittedChange... changes) {
        recent.committed(batch(changes), Duration.ZERO);
    }

    private static List<Long> sequences(RecentChanges recent, long after) {
        return recent.readAfter(after, 10, NO_BOUND).stream()
                .map(CommittedChange::sequence)
                .toList();
    }
}
