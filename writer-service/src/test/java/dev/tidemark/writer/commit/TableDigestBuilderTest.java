package dev.tidemark.writer.commit;

import java.util.List;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class TableDigestBuilderTest {
    private static final int ENDLESS = Integer.MAX_VALUE;

    private final TableDigestBuilder sums = new TableDigestBuilder();

    @Test
    void letsGoOfATableThatIsAddedUp() {
        Snapshot snapshot = new Snapshot(3);
        TableDigestScan sum = begin(snapshot);

        sums.doWork();

        assertThat(sums.takeEnded()).isSameAs(sum);
        assertThat(sum.result())
                .hasValueSatisfying(digests -> assertThat(digests).isNotEmpty());
        assertThat(snapshot.closed).isOne();
        assertThat(sums.takeEnded()).isNull();
        sums.doWork();
        sums.onClose();
        assertThat(snapshot.closed).isOne();
    }

    @Test
    void letsGoOfWhatIsNotAddedUpWhenItCloses() {
        Snapshot begun = new Snapshot(ENDLESS);
        Snapshot waiting = new Snapshot(ENDLESS);
        TableDigestScan first = begin(begun);
        begin(waiting);
        sums.doWork();
        assertThat(sums.takeEnded()).isNull();
        assertThat(begun.closed + waiting.closed).isZero();
        assertThat(waiting.read).as("one table after the other").isZero();

        sums.onClose();

        assertThat(begun.closed).isOne();
        assertThat(waiting.closed).isOne();
        assertThat(sums.takeEnded()).isSameAs(first);
        assertThat(first.result()).isEmpty();
        assertThat(sums.takeEnded()).isNull();
    }

    @Test
    void aTableThatCannotBeReadHoldsUpNoOther() {
        Snapshot unreadable = new Snapshot(0) {
            @Override
            public @Nullable KeyedRow next() {
                throw new IllegalStateException("a block is gone");
            }
        };
        TableDigestScan bad = begin(unreadable);
        TableDigestScan good = begin(new Snapshot(1));

        sums.doWork();
        sums.doWork();

        assertThat(sums.takeEnded()).isSameAs(bad);
        assertThat(bad.result()).isEmpty();
        assertThat(unreadable.closed).isOne();
        assertThat(sums.takeEnded()).isSameAs(good);
        assertThat(good.result()).isPresent();
    }

    @Test
    void itsThreadIsNamedAfterIt() {
        assertThat(sums.roleName()).isEqualTo("fact-digests");
    }

    @Test
    void addsUpNoMoreRowsAtOnceThanItIsAskedFor() {
        Snapshot snapshot = new Snapshot(ENDLESS);
        TableDigestScan sum = begin(snapshot);

        assertThat(sum.step(3)).isTrue();

        assertThat(snapshot.read).isEqualTo(3);
    }

    private TableDigestScan begin(FactSnapshot snapshot) {
        List<Generation> first = List.of(new Generation(1, CUSTOMERS.indexes().get(0)));
        TableDigestScan sum = new TableDigestScan(DigestLedger.Followed.of(CUSTOMERS, first), snapshot);
        sums.begin(sum);
        return sum;
    }

    /** The same row again and again. */
    private static class Snapshot implements FactSnapshot {
        private final KeyedRow row =
                new KeyedRow(customerKey(1), new StoredRow(version(1), timeOf(1), customer(1, "a")));

        private final int rows;
        private int read;
        private int closed;

        Snapshot(int rows) {
            this.rows = rows;
        }

        @Override
        public CommitPosition point() {
            return new CommitPosition(version(1), timeOf(1));
        }

        @Override
        public @Nullable KeyedRow next() {
            return read++ == rows ? null : row;
        }

        @Override
        public void close() {
            closed++;
        }
    }
}
