package dev.tidemark.writer.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.RowTerms;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowDocument;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;

/** Digests of a table that has rows which an earlier version stored and this one cannot read. */
class UnreadableRowsTest {
    private static final long BY_TOWN = Definitions.first(TestTables.CATALOG, Instant.EPOCH)
            .generations("customers")
            .get(0)
            .id();

    private final ManualClock clock = new ManualClock();
    private final InMemoryFactStore store = new InMemoryFactStore(new InMemoryDisk());
    private final TableDigestBuilder sums = new TableDigestBuilder();

    @BeforeEach
    void storeRows() {
        RowDocument unreadable = RowDocument.stored("{\"town\":1.0E+99999999999".getBytes(StandardCharsets.US_ASCII));
        store.commit(TestTables.batch(put(1, 1, unreadable), put(2, 2, "a"), put(3, 3, unreadable)));
    }

    @Test
    void digestsAreKnownAlthoughARowCannotBeRead() throws Exception {
        settle(committer());

        assertThat(store.digests()).isEqualTo(expected(2));
    }

    @Test
    void whatARowThatCannotBeReadGaveIsAddedUpOnceMoreWhenTheRowIsReplaced() throws Exception {
        // Counted by the version that stored the row.
        Map<DigestKey, Digest> before = expected(2);
        before.merge(new DigestKey(BY_TOWN, CUSTOMERS.partitionOf(customerKey(1))), new Digest(5, 7), Digest::plus);
        store.keepDigests(before, Set.of());
        Committer committer = committer();
        settle(committer);

        WriteCommand put = new WriteCommand.Put(customerKey(1), customer(1, "b"), Precondition.NONE);
        var done = committer.submit(WriteRequest.of("customers", put, 10), Duration.ZERO);
        committer.doWork();
        assertThat(done.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(store.digests()).isEmpty();
        settle(committer);

        assertThat(store.digests()).isEqualTo(expected(1, 2));
    }

    private Committer committer() {
        return new Committer(
                store,
                TestTables.digests(store, sums),
                TestTables::rules,
                new CommitterLimits(10, 100_000, 10, Duration.ofNanos(1)),
                MemoryBudget.unlimited().part("queue", 1),
                table -> Optional.empty(),
                clock,
                List.of());
    }

    private void settle(Committer committer) throws InterruptedException {
        for (int i = 0; i < 5; i++) {
            clock.advance(Duration.ofSeconds(1));
            committer.doWork();
            sums.doWork();
        }
    }

    /** What these rows give. */
    private Map<DigestKey, Digest> expected(long... ids) {
        Map<DigestKey, Digest> expected = new HashMap<>();
        for (int partition = 0; partition < CUSTOMERS.partitions(); partition++) {
            expected.put(new DigestKey(BY_TOWN, partition), Digest.EMPTY);
        }
        RowTerms terms = new RowTerms(
                Definitions.first(TestTables.CATALOG, Instant.EPOCH).generations("customers"));
        for (long id : ids) {
            StoredRow row = Objects.requireNonNull(store.find("customers", customerKey(id)));
            expected.merge(
                    new DigestKey(BY_TOWN, CUSTOMERS.partitionOf(customerKey(id))),
                    Objects.requireNonNull(terms.of(customerKey(id), row.row()).get(BY_TOWN))
                            .at(row.version()),
                    Digest::plus);
        }
        return expected;
    }
}
