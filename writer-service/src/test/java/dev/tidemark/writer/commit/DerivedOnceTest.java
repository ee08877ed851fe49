package dev.tidemark.writer.commit;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.DerivationCounter;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.InMemoryFactStore;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * A row is derived when it is checked, and never again. The bytes of every row here are replaced before the commit by
 * such as cannot be read, so that nothing can be derived of them any more.
 */
class DerivedOnceTest {
    private static final long BY_TOWN = 1;

    private final ManualClock clock = new ManualClock();
    private final InMemoryFactStore store = new InMemoryFactStore(new InMemoryDisk());
    private final TableDigestBuilder sums = new TableDigestBuilder();
    private final Map<String, RowRules> rules = TestTables.rules();
    private final RowRules customers = Objects.requireNonNull(rules.get("customers"));
    private final DerivationCounter counter = new DerivationCounter("town");
    private final Committer committer = new Committer(
            store,
            TestTables.digests(store, sums),
            () -> rules,
            new CommitterLimits(10, 100_000, 10, Duration.ofNanos(1)),
            MemoryBudget.unlimited().part("queue", 1),
            table -> Optional.empty(),
            clock,
            List.of());

    @BeforeEach
    void addUpTheEmptyTable() throws Exception {
        for (int i = 0; i < 3; i++) {
            clock.advance(Duration.ofSeconds(1));
            committer.doWork();
            sums.doWork();
        }
    }

    @Test
    void aRowIsDerivedOnceWhenItIsInsertedAndOnceWhenItIsUpdated() throws Exception {
        WriteCommand.Put first = checked("a");
        assertThat(counter.derivations()).isOne();
        commit(first);
        assertThat(store.digests()).isEqualTo(expected(first, 1));

        WriteCommand.Put second = checked("b");
        assertThat(counter.derivations()).isEqualTo(2);
        commit(second);
        assertThat(store.digests()).isEqualTo(expected(second, 2));
    }

    @Test
    void aRowIsNotDerivedWhenItIsDeleted() throws Exception {
        commit(checked("a"));

        commit(new WriteCommand.Delete(customerKey(1), Precondition.NONE));

        assertThat(counter.derivations()).isOne();
        assertThat(store.digests().values()).isNotEmpty().allMatch(Digest.EMPTY::equals);
    }

    @Test
    void aRowIsNotDerivedAgainWhereItChangesTwiceInOneCommit() throws Exception {
        WriteCommand.Put last = checked("b");
        var first = committer.submit(request(checked("a")), Duration.ZERO);
        var second = committer.submit(request(last), Duration.ZERO);
        committer.doWork();

        assertThat(first.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(second.get()).singleElement().matches(CommitOutcome::applied);
        assertThat(store.digests()).isEqualTo(expected(last, 2));
    }

    /** The command of a checked row that cannot be read any more. */
    private WriteCommand.Put checked(String town) throws RowRefusedException {
        WriteCommand.Put put =
                customers.accept(customerKey(1), counter.counted(json("{'customerId':1,'town':'" + town + "'}")));
        RowDocument unreadable = RowDocument.stored(("no row: " + town).getBytes(StandardCharsets.UTF_8));
        return new WriteCommand.Put(put.key(), unreadable, put.terms(), put.precondition());
    }

    private void commit(WriteCommand command) throws Exception {
        var done = committer.submit(request(command), Duration.ZERO);
        committer.doWork();
        assertThat(done.get()).singleElement().matches(CommitOutcome::applied);
    }

    private WriteRequest request(WriteCommand command) {
        return WriteRequest.of("customers", command, 10).checkedBy(customers);
    }

    /** The digests of a table with that row alone. */
    private static Map<DigestKey, Digest> expected(WriteCommand.Put put, long sequence) {
        EntryTerms terms = Objects.requireNonNull(put.terms().get(BY_TOWN));
        assertThat(terms.keys()).hasSize(1);
        Map<DigestKey, Digest> expected = new HashMap<>();
        for (int partition = 0; partition < CUSTOMERS.partitions(); partition++) {
            expected.put(new DigestKey(BY_TOWN, partition), Digest.EMPTY);
        }
        expected.put(new DigestKey(BY_TOWN, CUSTOMERS.partitionOf(put.key())), terms.at(new RowVersion(1, sequence)));
        return expected;
    }
}
