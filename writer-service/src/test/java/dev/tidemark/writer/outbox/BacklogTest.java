package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.WriterStores;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class BacklogTest {
    private final Backlog backlog = new Backlog(new BacklogLimits(3, 1_000_000));

    @Test
    void countsWhatIsCommittedAndNotAcknowledged() {
        backlog.committed(batch(put(1, 1, "a"), put(2, 2, "b")), Duration.ZERO);
        assertThat(backlog.records("customers")).isEqualTo(2);
        assertThat(backlog.oldest("customers")).contains(timeOf(1));

        backlog.acknowledged(List.of(put(1, 1, "a")), Set.of());
        assertThat(backlog.records("customers")).isEqualTo(1);
        assertThat(backlog.oldest("customers")).contains(timeOf(2));

        backlog.acknowledged(List.of(put(2, 2, "b")), Set.of());
        assertThat(backlog.records("customers")).isZero();
        assertThat(backlog.oldest("customers")).isEmpty();
        assertThat(backlog.oldest("movies")).isEmpty();
    }

    @Test
    void namesTheBoundThatIsReachedAndLetsGoWhenItDrains() {
        backlog.committed(batch(put(1, 1, "a"), put(2, 2, "b")), Duration.ZERO);
        assertThat(backlog.overflow()).isEmpty();

        backlog.committed(batch(put(3, 3, "c")), Duration.ZERO);
        assertThat(backlog.overflow())
                .hasValueSatisfying(
                        text -> assertThat(text).contains("3 changes").contains("outbox.max.pending.records=3"));

        backlog.acknowledged(List.of(put(1, 1, "a")), Set.of());
        assertThat(backlog.overflow()).isEmpty();
    }

    @Test
    void boundsBytesToo() {
        Backlog small = new Backlog(new BacklogLimits(1_000, 100));

        small.committed(batch(put(1, 1, "a".repeat(100))), Duration.ZERO);

        assertThat(small.overflow())
                .hasValueSatisfying(text -> assertThat(text).contains("outbox.max.pending.bytes=100"));
    }

    @Test
    void knowsAfterARestartWhatWaits() {
        WriterStores stores = WriterStores.on(new InMemoryDisk());
        stores.facts().commit(batch(put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c")));
        stores.outbox().markPublished(1);

        backlog.load(stores.outbox(), stores.ledger(), timeOf(9));

        assertThat(backlog.records("customers")).isEqualTo(2);
        assertThat(backlog.oldest("customers")).contains(timeOf(2));
    }

    @Test
    void knowsAfterARestartWhatWasLeftOut() {
        WriterStores stores = WriterStores.on(new InMemoryDisk());
        stores.facts().commit(batch(put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c"), put(4, 4, "d")));
        stores.outbox().markPublished(3);
        stores.ledger().save("customers", TopicRecord.lacking("topic", 1), true);

        backlog.load(stores.outbox(), stores.ledger(), timeOf(9));

        assertThat(backlog.records("customers")).isEqualTo(3);
        assertThat(backlog.oldest("customers")).contains(timeOf(2));
        assertThat(backlog.overflow()).as("what is left out fills no bound").isEmpty();
        backlog.caughtUp("customers");
        assertThat(backlog.records("customers")).isEqualTo(1);
    }

    @Test
    void takesALeftOutChangeForWaitingAfterARestartWhereTheOutboxHasDroppedSome() {
        WriterStores stores = WriterStores.on(new InMemoryDisk());
        stores.facts().commit(batch(put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c"), put(4, 4, "d")));
        stores.outbox().markPublished(3);
        stores.ledger().save("customers", TopicRecord.lacking("topic", 1), true);
        stores.ledger().save("movies", TopicRecord.lacking("other", 1), true);
        stores.outbox().trim(3);

        backlog.load(stores.outbox(), stores.ledger(), timeOf(9));

        assertThat(backlog.records("customers")).isEqualTo(2);
        assertThat(backlog.records("movies")).isEqualTo(1);
        assertThat(backlog.oldest("movies")).as("the first that is held").contains(timeOf(4));
        assertThat(backlog.overflow()).isEmpty();
        backlog.caughtUp("customers");
        backlog.caughtUp("movies");
        assertThat(backlog.records("customers")).isEqualTo(1);
        assertThat(backlog.records("movies")).isZero();
        assertThat(backlog.oldest("movies")).isEmpty();
    }

    @Test
    void takesALeftOutChangeForAsOldAsTheLastCommitWhereTheOutboxHoldsNone() {
        WriterStores stores = WriterStores.on(new InMemoryDisk());
        stores.facts().commit(batch(put(1, 1, "a"), put(2, 2, "b")));
        stores.outbox().markPublished(2);
        stores.ledger().save("customers", TopicRecord.lacking("topic", 0), true);
        stores.outbox().trim(2);

        backlog.load(stores.outbox(), stores.ledger(), timeOf(2));

        assertThat(backlog.records("customers")).isEqualTo(1);
        assertThat(backlog.oldest("customers")).contains(timeOf(2));
    }

    @Test
    void aWholeTopicLacksNothingAfterARestart() {
        WriterStores stores = WriterStores.on(new InMemoryDisk());
        stores.facts().commit(batch(put(1, 1, "a"), put(2, 2, "b")));
        stores.outbox().markPublished(2);
        stores.ledger().save("customers", TopicRecord.lacking("topic", 0).asWhole(), true);
        stores.ledger().save("movies", TopicRecord.lacking("other", 0), true);

        backlog.load(stores.outbox(), stores.ledger(), timeOf(9));

        assertThat(backlog.records("customers")).isZero();
        assertThat(backlog.records("movies")).isZero();
    }

    @Test
    void takesNoMoreFromTheVeryByteOn() {
        CommittedChange change = put(1, 1, "a");
        Backlog full = new Backlog(new BacklogLimits(1_000, change.bytes()));
        Backlog almost = new Backlog(new BacklogLimits(1_000, change.bytes() + 1));

        full.committed(batch(change), Duration.ZERO);
        almost.committed(batch(change), Duration.ZERO);

        assertThat(full.overflow()).isPresent();
        assertThat(almost.overflow()).isEmpty();
        full.acknowledged(List.of(change), Set.of());
        assertThat(full.overflow()).isEmpty();
    }

    @Test
    void isAsFullAsTheBoundThatIsFilledMost() {
        CommittedChange change = put(1, 1, "a");
        Backlog byRecords = new Backlog(new BacklogLimits(4, 1_000_000));
        Backlog byBytes = new Backlog(new BacklogLimits(1_000_000, 2 * change.bytes()));
        assertThat(byRecords.fill()).isZero();

        byRecords.committed(batch(change), Duration.ZERO);
        byBytes.committed(batch(change), Duration.ZERO);

        assertThat(byRecords.fill()).isEqualTo(0.25);
        assertThat(byBytes.fill()).isEqualTo(0.5);
    }

    @Test
    void countsWhatIsLeftOutUntilTheTableHasCaughtUp() {
        backlog.committed(batch(put(1, 1, "a"), put(2, 2, "b"), put(3, 3, "c")), Duration.ZERO);

        backlog.acknowledged(List.of(put(1, 1, "a"), put(2, 2, "b")), Set.of("customers"));

        assertThat(backlog.records("customers")).isEqualTo(3);
        assertThat(backlog.oldest("customers")).contains(timeOf(1));
        assertThat(backlog.overflow()).as("it fills no bound").isEmpty();
        assertThat(backlog.fill()).isEqualTo(1 / 3.0);
        backlog.caughtUp("customers");
        assertThat(backlog.records("customers")).isEqualTo(1);
        assertThat(backlog.oldest("customers")).contains(timeOf(3));
    }

    @Test
    void tellsTheAgeOfTheOldestToWithinAGrain() {
        CommittedChange first = at(timeOf(1), 1);
        CommittedChange within = at(timeOf(1).plus(Backlog.GRAIN).minusNanos(1), 2);
        CommittedChange after = at(timeOf(1).plus(Backlog.GRAIN), 3);
        backlog.committed(batch(first, within, after), Duration.ZERO);

        backlog.acknowledged(List.of(first), Set.of());
        assertThat(backlog.oldest("customers")).contains(timeOf(1));

        backlog.acknowledged(List.of(within), Set.of());
        assertThat(backlog.oldest("customers")).contains(timeOf(1).plus(Backlog.GRAIN));
    }

    @Test
    void tellsWhenChangesWereOnDiskUntilTheyAreAcknowledged() {
        CommittedChange change = put(1, 1, "a");
        backlog.committed(batch(change), Duration.ofMillis(4));
        assertThat(onDiskMicros(change)).isEqualTo(4_000);

        backlog.acknowledged(List.of(change), Set.of());

        assertThat(onDiskMicros(change)).isZero();
    }

    private long onDiskMicros(CommittedChange change) {
        return backlog.handOver(List.of(change), timeOf(10)).get(0).handover().onDiskMicros();
    }

    private static CommittedChange at(Instant time, long sequence) {
        return new CommittedChange(
                "customers", 0, new ChangeEvent.Deleted(customerKey(sequence), version(sequence), time));
    }
}
