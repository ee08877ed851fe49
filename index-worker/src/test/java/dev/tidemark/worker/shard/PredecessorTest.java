package dev.tidemark.worker.shard;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

/** A shard that has to be built again answers with what it was until it has passed that. */
class PredecessorTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final Duration LONG = Duration.ofHours(100);

    /** Copies that wait for a thread; null while there is one for each. */
    private @Nullable List<Runnable> waiting;

    private final WorkerFixture fixture =
            new WorkerFixture(Tables.catalog(), new ShardThreads(Runnable::run, Runnable::run, this::copy));
    private final ChangeLog log = new ChangeLog(Tables.films());
    private OpenShard shard = fixture.open(ID);

    @Test
    void whatAShardWasAnswersAsOldAsItIsUntilTheNewOneHasPassedIt() {
        long reading = rebuilding();
        fixture.clock().advance(Duration.ofMinutes(5));
        assertAnswersAsBefore();
        assertThat(fixture.lag().of(shard).freshness().orElseThrow()).isGreaterThanOrEqualTo(Duration.ofMinutes(5));
        assertThat(fixture.lag().of(shard).completeUpTo()).contains(ChangeLog.at(100));
        assertThat(fixture.lag().state(Tables.films())).isNotEqualTo(IndexHealth.STEADY);
        assertThat(shard.applied().orElseThrow().checkpoint().nextOffset()).isZero();

        fixture.deliver(shard, reading, log.from(0));
        assertThat(shard.applied().orElseThrow().checkpoint().nextOffset()).isEqualTo(3);
        assertThat(shard.isAnsweredByPredecessor())
                .as("the end of the log is not passed")
                .isTrue();
        assertAnswersAsBefore();

        log.heartbeat(300);
        fixture.deliver(shard, reading, log.take(1));
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
        assertThat(entries()).isEqualTo(2);
        assertThat(fixture.lag().of(shard).completeUpTo()).contains(ChangeLog.at(300));
        assertThat(fixture.stores().keeps(ID)).isFalse();
        assertThat(fixture.stores().openReaders()).isZero();
    }

    @Test
    void aShardThatHasHeardOfALaterEpochHasPassedWhatItWasAlthoughTheClockWentBack() {
        long reading = rebuilding();
        log.add(new Heartbeat(ChangeLog.at(90), new RowVersion(2, 7)));
        fixture.deliver(shard, reading, log.from(0));

        assertThat(shard.isAnsweredByPredecessor()).isFalse();
        assertThat(fixture.lag().of(shard).completeUpTo()).contains(ChangeLog.at(90));
    }

    @Test
    void aShardThatIsKnownToBeWrongDoesNotAnswer() {
        follow();
        shard.requestRebuild("a comparison found that it differs");
        fixture.run();
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
        assertThat(fixture.stores().keeps(ID)).isFalse();
    }

    @Test
    void whatIsFoundWrongWhileItAnswersIsNotKept() {
        rebuilding();
        shard.requestRebuild("a file is damaged");
        fixture.run();
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
        assertThat(fixture.stores().keeps(ID)).isFalse();
    }

    @Test
    void whatIsFoundWrongWhileItsTopicLacksRecordsIsNotKept() {
        follow();
        shard.caughtUpAt(fixture.clock().instant());
        close();
        fixture.end(ID, 2);
        fixture.beginAt(1);
        fixture.clock().advance(LONG);
        fixture.copies().copying(ID, new CopyProgress(URI.create("http://other:8082"), 1, 80), () -> {});
        shard = fixture.open(ID);
        assertThat(shard.failure()).hasValueSatisfying(why -> assertThat(why).contains("are gone"));
        assertAnswersAsBefore();

        assertIsNotKeptOnceItIsDamaged();
    }

    @Test
    void whatIsFoundWrongBetweenTwoOpeningsIsNotKept() {
        long reading = follow();
        shard.cannotGoOn("the offset to go on from is no longer in the log", reading);
        while (!shard.isAnsweredByPredecessor()) {
            shard.doWork();
        }
        fixture.brokersAway(true);
        fixture.run();
        assertThat(shard.failure()).contains("the brokers are away");
        assertAnswersAsBefore();

        assertIsNotKeptOnceItIsDamaged();
    }

    private void assertIsNotKeptOnceItIsDamaged() {
        fixture.shards().rebuild(ID, "a file is damaged");
        fixture.run();
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
        assertThat(fixture.stores().keeps(ID)).isFalse();
    }

    @Test
    void aShardThatWasAwayForLongAnswersAsOldAsItIs() {
        follow();
        shard.caughtUpAt(fixture.clock().instant());
        close();
        fixture.end(ID, 2);
        fixture.clock().advance(LONG);
        shard = fixture.open(ID);
        assertAnswersAsBefore();
        assertThat(fixture.lag().of(shard).freshness().orElseThrow()).isGreaterThanOrEqualTo(LONG);
    }

    @Test
    void aShardThatLacksMuchAnswersWhileItsCopyWaitsForAThread() {
        follow();
        shard.caughtUpAt(fixture.clock().instant());
        close();
        fixture.end(ID, 2);
        fixture.clock().advance(LONG);
        fixture.copies().copying(ID, new CopyProgress(URI.create("http://other:8082"), 1, 80), () -> {});
        List<Runnable> held = new ArrayList<>();
        waiting = held;
        shard = fixture.open(ID);
        assertThat(held).hasSize(1);
        assertThat(shard.topicId()).isEmpty();
        assertAnswersAsBefore();

        waiting = null;
        held.forEach(Runnable::run);
        fixture.run();
        assertThat(shard.topicId()).isPresent();
        assertAnswersAsBefore();
    }

    private void copy(Runnable task) {
        List<Runnable> held = waiting;
        if (held == null) {
            task.run();
        } else {
            held.add(task);
        }
    }

    @Test
    void answersAgainAfterTheProcessEndedInTheMiddle() {
        rebuilding();
        close();
        assertThat(shard.isReadable()).isFalse();
        shard = fixture.open(ID);
        assertAnswersAsBefore();
    }

    @Test
    void whatWasReadFromAnotherTopicIsNotKept() {
        rebuilding();
        close();
        fixture.recreateTopics("topic-2");
        shard = fixture.open(ID);
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
        assertThat(fixture.stores().keeps(ID)).isFalse();
    }

    @Test
    void whatWasReadFromAnotherTopicAnswersNoMoreOnceTheShardReadsTheNewOne() {
        long reading = rebuilding();
        fixture.recreateTopics("topic-2");
        fixture.clock().advance(LONG);
        // It was behind for long, so it is opened again.
        fixture.deliver(shard, reading, log.from(0));
        fixture.run();
        assertThat(shard.topicId()).contains("topic-2");
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
        assertThat(fixture.stores().keeps(ID)).isFalse();
    }

    @Test
    void aShardThatIsBuiltForTheFirstTimeHasNothingToAnswerWith() {
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        shard.cannotGoOn("the offset to go on from is no longer in the log", reading);
        fixture.run();
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
    }

    @Test
    void aViewThatIsOutStaysRightWhileTheNewShardTakesOver() {
        long reading = rebuilding();
        try (ShardView view = shard.readIfOpen().orElseThrow().view()) {
            log.heartbeat(300);
            fixture.deliver(shard, reading, log.from(0));
            assertThat(shard.isAnsweredByPredecessor()).isFalse();
            assertThat(entries(view)).isEqualTo(1);
        }
    }

    @Test
    void aShardThatWasAwayForLongIsBuiltAlsoWhereWhatItWasCannotBeKept() {
        follow();
        shard.caughtUpAt(fixture.clock().instant());
        close();
        fixture.end(ID, 2);
        fixture.clock().advance(LONG);
        fixture.stores().failKeeping(Optional.of(new IllegalStateException("No space left on device")));
        shard = fixture.open(ID);
        assertIsBuiltWithout();
    }

    @Test
    void aShardThatCannotGoOnIsBuiltAlsoWhereWhatItWasCannotBeKept() {
        fixture.stores().failKeeping(Optional.of(new IllegalStateException("No space left on device")));
        rebuilding();
        assertIsBuiltWithout();
    }

    @Test
    void aShardOpensAlsoWhereWhatItWasDoesNot() {
        rebuilding();
        close();
        fixture.stores().failKeeping(Optional.of(new IllegalStateException("Input/output error")));
        shard = fixture.open(ID);
        assertIsBuiltWithout();

        close();
        fixture.stores().failKeeping(Optional.of(new ShardDamagedException("Corruption: bad block")));
        shard = fixture.open(ID);
        assertIsBuiltWithout();
    }

    @Test
    void whatCouldNotBeReadOnceAnswersAtTheNextOpening() {
        rebuilding();
        close();
        fixture.stores().failNextKeptOrigin(new IllegalStateException("Input/output error"));
        shard = fixture.open(ID);
        assertIsBuiltWithout();

        close();
        shard = fixture.open(ID);
        assertAnswersAsBefore();
    }

    private void assertIsBuiltWithout() {
        assertThat(shard.topicId()).isPresent();
        assertThat(shard.applied().orElseThrow().checkpoint().nextOffset()).isZero();
        assertThat(shard.isAnsweredByPredecessor()).isFalse();
    }

    /** The reading of what it follows. */
    private long follow() {
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        fixture.deliver(
                shard,
                reading,
                log.put(1, "{\"id\":1,\"title\":\"One\"}").heartbeat(100).take());
        return reading;
    }

    /** Another change is in the log, and the shard is being built again; the new reading. */
    private long rebuilding() {
        long reading = follow();
        log.put(200, "{\"id\":2,\"title\":\"Two\"}");
        fixture.end(ID, log.end() + 1);
        shard.cannotGoOn("the offset to go on from is no longer in the log", reading);
        fixture.run();
        return Objects.requireNonNull(shard.takeStart()).reading();
    }

    private void close() {
        fixture.shards().revoke(ID);
        fixture.run();
        assertThat(shard.isClosed()).isTrue();
    }

    private void assertAnswersAsBefore() {
        assertThat(shard.isAnsweredByPredecessor()).isTrue();
        assertThat(shard.isReadable()).isTrue();
        assertThat(entries()).isEqualTo(1);
    }

    private int entries() {
        try (ShardView view = shard.readIfOpen().orElseThrow().view()) {
            return entries(view);
        }
    }

    private int entries(ShardView view) {
        long generation = fixture.definitions().generations("films").stream()
                .filter(each -> each.definition().name().equals("whole"))
                .findFirst()
                .orElseThrow()
                .id();
        int count = 0;
        try (EntryScan scan = view.scan(generation, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                count++;
            }
        }
        return count;
    }
}
