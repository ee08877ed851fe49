package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customer;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ReemitterTest {
    private final InMemoryDisk disk = new InMemoryDisk();
    private final FactStore store = stored();
    private final List<FactBatch> commits = new ArrayList<>();
    private final RelayStatus status = new RelayStatus();
    private final Committer committer = committer();
    private final Reemitter reemitter = new Reemitter(committer);

    @Test
    void rowsAreCommittedOnceMoreAndOccupyRoomInTheQueueUntilThen() throws Exception {
        assertThat(reemitter.isDone()).isTrue();

        reemitter.begin("customers", List.of(customerKey(1), customerKey(2)), List.of());
        assertThat(reemitter.isDone()).isFalse();
        assertThat(committer.queuedBytes()).isGreaterThanOrEqualTo(2_048);
        committer.doWork();

        assertThat(reemitter.isDone()).isTrue();
        assertThat(reemitter.restated()).isEqualTo(2);
        assertThat(store.find("customers", customerKey(1)))
                .satisfies(row -> assertThat(row.version()).isEqualTo(new RowVersion(1, 3)));
        reemitter.begin("customers", List.of(), List.of());
        assertThat(reemitter.isDone()).isTrue();
    }

    @Test
    void largeRowsAreCommittedInSeveralBatches() throws Exception {
        List<KeyBytes> keys = new ArrayList<>();
        for (int id = 1; id <= 24; id++) {
            keys.add(customerKey(id));
            store.commit(batch(put(2 + id, id, customer(id, "x".repeat(1 << 20)))));
        }
        Committer large = committer();
        Reemitter reemitter = new Reemitter(large);

        reemitter.begin("customers", keys, List.of());
        while (!reemitter.isDone()) {
            large.doWork();
        }

        assertThat(reemitter.restated()).isEqualTo(24);
        assertThat(commits).allSatisfy(batch -> assertThat(batch.changes()).hasSizeLessThan(13));
        assertThat(store.find("customers", customerKey(24)))
                .satisfies(row -> assertThat(row.version()).isEqualTo(new RowVersion(1, 50)));
    }

    @Test
    void saysThatRowsCouldNotBeCommittedUntilItStartsAgain() throws Exception {
        reemitter.begin("customers", List.of(customerKey(1)), List.of());
        assertThat(reemitter.isDone()).isFalse();
        disk.failNextWrite(new IllegalStateException("disk full"));
        committer.doWork();

        assertThatThrownBy(reemitter::isDone)
                .isInstanceOf(PublishException.class)
                .hasMessageContaining("rows cannot be committed once more");
        reemitter.startAgain();
        assertThat(reemitter.isDone()).isTrue();
    }

    private FactStore stored() {
        FactStore facts = WriterStores.on(disk).facts();
        facts.commit(batch(put(1, 1, "a"), put(2, 2, "b")));
        return facts;
    }

    private Committer committer() {
        return new Committer(
                store,
                TestTables.digests(store),
                TestTables::rules,
                new CommitterLimits(10, 1_000_000, 100, Duration.ofMillis(1)),
                MemoryBudget.unlimited().part("queue", 1),
                status,
                new ManualClock(),
                List.of((batch, took) -> commits.add(batch)));
    }
}
