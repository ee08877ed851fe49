package dev.tidemark.worker.shard;

import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;

import dev.tidemark.rocks.StoreException;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

class OpenShardTest {
    private static final ShardId ID = new ShardId("films", 0);

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final ChangeLog log = new ChangeLog(Tables.films());

    @Test
    void aNewShardAsksForTheBeginning() {
        OpenShard shard = fixture.open(ID);
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(shard.takeStart()).isNull();
    }

    @Test
    void aShardThatWasHereGoesOnWithItsLeaderEpoch() {
        applyAndClose();
        OpenShard again = fixture.open(ID);
        assertThat(start(again).position()).isEqualTo(new StartPosition(2, OptionalInt.of(0)));
    }

    @Test
    void isOpenedAgainWhereTheProcessWasSuspendedAfterTheLogWasAskedForItsEnd() {
        Instant asked = fixture.clock().instant();
        fixture.suspendAfterAnswer(Duration.ofDays(10));
        OpenShard shard = fixture.open(ID);
        List<Instant> caughtUp = new ArrayList<>();
        shard.ask(applier -> caughtUp.add(applier.lastCaughtUp()));
        fixture.run();
        assertThat(caughtUp).containsExactly(asked);

        fixture.deliver(shard, start(shard).reading(), log.put(1, "{\"id\":1}").take());

        assertThat(offset(shard)).isZero();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void aBatchOfAnEarlierReadingIsDropped() {
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.deliver(shard, reading - 1, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).isZero();
        fixture.deliver(shard, reading, log.from(0));
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void closesAfterTheBatchUnderWayAndLeavesTheRest() {
        OpenShard shard = fixture.open(ID);
        shard.offer(log.put(1, "{\"id\":1}").take(), start(shard).reading(), () -> {});
        fixture.shards().revoke(ID);
        fixture.run();
        assertThat(shard.isClosed()).isTrue();
        assertThat(shard.readApplied()).isEmpty();
        assertThat(start(fixture.open(ID)).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void whatWasHandedOverIsReadAgainAfterTheTableWasPaused() {
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.pause(Tables.films());
        fixture.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(shard.hasWork()).as("nothing to wake up for").isFalse();
        assertThat(shard.isFull()).isTrue();
        assertThat(shard.isLow()).isFalse();
        assertThat(offset(shard)).isZero();
        assertThat(shard.readApplied()).as("it can be read").isPresent();
        fixture.resume(Tables.films());
        OpenShard.Start again = start(shard);
        assertThat(again.position()).isEqualTo(StartPosition.BEGINNING);
        shard.offer(log.from(0), again.reading(), () -> {});
        assertThat(shard.hasWork()).isTrue();
        fixture.run();
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void isOpenedAgainWithGrowingPausesWhileTheBrokersAreAway() {
        fixture.brokersAway(true);
        OpenShard shard = fixture.open(ID);
        assertThat(shard.failure()).contains("the brokers are away");
        fixture.clock().advance(Duration.ofMillis(1_100));
        fixture.run();
        fixture.brokersAway(false);
        fixture.clock().advance(Duration.ofMillis(1_900));
        fixture.run();
        assertThat(shard.failure()).isPresent();
        fixture.clock().advance(Duration.ofMillis(200));
        fixture.run();
        assertThat(shard.failure()).isEmpty();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void isOpenedAgainWhereItWasOnDiskAfterAWriteAtWhichTheDiskFailed() {
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        fixture.stores().opened(ID).failNextCommit(failed("While fdatasync: Input/output error"));

        fixture.deliver(shard, reading, log.put(2, "{\"id\":2}").take());

        goesOnFrom(shard, reading, 1);
    }

    @Test
    void isOpenedAgainWhereItWasOnDiskAfterAReadAtWhichTheDiskFailed() {
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        fixture.stores().opened(ID).failNextRead(failed("While pread: Input/output error"));

        fixture.deliver(shard, reading, log.put(2, "{\"id\":2}").take());

        goesOnFrom(shard, reading, 1);
    }

    @Test
    void isClosedAndOpenedAgainWhereItsOriginCouldNotBeRead() {
        applyAndClose();
        fixture.stores().failNextOrigin(failed("While pread: Input/output error"));

        OpenShard shard = fixture.open(ID);

        assertThat(shard.failure()).hasValueSatisfying(why -> assertThat(why).contains("Input/output error"));
        fixture.clock().advance(Duration.ofSeconds(1));
        fixture.run();
        assertThat(shard.failure()).isEmpty();
        assertThat(start(shard).position()).as("what was on disk").isEqualTo(new StartPosition(2, OptionalInt.of(0)));
    }

    private static StoreException failed(String how) {
        return new StoreException(how, new IOException(how));
    }

    /** It says why it does not work, opens its store anew a second later, and takes what failed once more. */
    private void goesOnFrom(OpenShard shard, long before, long offset) {
        assertThat(shard.failure()).hasValueSatisfying(why -> assertThat(why).contains("Input/output error"));
        assertThat(shard.readApplied()).as("what it holds is not known").isEmpty();
        assertThat(shard.takeStart()).isNull();

        fixture.end(ID, log.end());
        fixture.clock().advance(Duration.ofSeconds(1));
        fixture.run();

        OpenShard.Start again = start(shard);
        assertThat(again.position()).isEqualTo(new StartPosition(offset, OptionalInt.of(0)));
        assertThat(again.reading()).isGreaterThan(before);
        assertThat(shard.failure()).isEmpty();
        fixture.deliver(shard, again.reading(), log.from(offset));
        assertThat(offset(shard)).isEqualTo(offset + 1);
    }

    @Test
    void isBuiltAnewWhenTheTopicIs() {
        applyAndClose();
        fixture.recreateTopics("topic-2");
        OpenShard shard = fixture.open(ID);
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(shard.topicId()).contains("topic-2");
        assertThat(offset(shard)).isZero();
    }

    @Test
    void doesNotGoOnWhereRecordsThatItHasNotReadAreGoneUntilTheTopicIsMadeAnew() {
        applyAndClose();
        fixture.beginAt(3);
        OpenShard shard = fixture.open(ID);
        assertThat(shard.failure())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("records 2 to 2 of films-0 are gone")
                        .contains("the writer recreates topic tidemark.changes.films"));
        assertThat(shard.readApplied()).as("what is left of it may be wrong").isEmpty();

        fixture.recreateTopics("topic-2");
        fixture.beginAt(0);
        fixture.clock().advance(Duration.ofSeconds(1));
        fixture.run();
        assertThat(shard.failure()).isEmpty();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void goesOnWhereOnlyRecordsAreGoneThatItHasRead() {
        applyAndClose();
        fixture.beginAt(2);
        assertThat(start(fixture.open(ID)).position()).isEqualTo(new StartPosition(2, OptionalInt.of(0)));
    }

    @Test
    void answersUntilItCanBeBuiltFromATopicThatHasEverything() {
        applyAndClose();
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.beginAt(3);
        shard.cannotGoOn("the offset to go on from is no longer in the log", reading);
        fixture.run();
        assertThat(shard.readApplied())
                .as("what it has is true, and grows stale")
                .isPresent();
        assertThat(shard.unread())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("no longer in the log")
                        .contains("records 0 to 2 of films-0 are gone"));
        assertThat(shard.failure()).isEmpty();
        assertThat(shard.takeStart()).isNull();

        fixture.recreateTopics("topic-2");
        fixture.beginAt(0);
        fixture.run();
        assertThat(shard.topicId()).as("before it is asked again").contains("topic-1");
        fixture.clock().advance(Duration.ofSeconds(1));
        fixture.run();
        assertThat(shard.topicId()).contains("topic-2");
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void answersWhileTheBrokersDoNotTellWhetherItCanBeBuilt() {
        applyAndClose();
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.brokersAway(true);
        shard.cannotGoOn("the log was truncated below what it has read", reading);
        fixture.run();
        assertThat(shard.readApplied()).isPresent();
        assertThat(shard.unread()).hasValueSatisfying(why -> assertThat(why).contains("the brokers are away"));

        fixture.brokersAway(false);
        fixture.clock().advance(Duration.ofSeconds(1));
        fixture.run();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(offset(shard)).isZero();
    }

    @Test
    void isNotBuiltAgainWhereOnlyAReadingThatIsOverCouldNotGoOn() {
        applyAndClose();
        OpenShard shard = fixture.open(ID);
        long before = start(shard).reading();
        shard.requestRebuild("its topic was recreated");
        fixture.run();
        int openings = shard.openings();

        shard.cannotGoOn("the offset to go on from is no longer in the log", before);
        fixture.run();

        assertThat(shard.openings()).isEqualTo(openings);
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void isClosedWhileItCannotGoOn() {
        applyAndClose();
        OpenShard shard = fixture.open(ID);
        fixture.beginAt(3);
        shard.cannotGoOn(
                "the offset to go on from is no longer in the log", start(shard).reading());
        fixture.run();
        fixture.shards().revoke(ID);
        fixture.run();
        assertThat(shard.isClosed()).isTrue();
    }

    @Test
    void isNotBuiltFromATopicThatHasLostItsOldestRecords() {
        applyAndClose();
        OpenShard shard = fixture.open(ID);
        fixture.beginAt(1);
        shard.requestRebuild("a file is damaged");
        fixture.run();
        fixture.run();
        assertThat(shard.failure())
                .hasValueSatisfying(why -> assertThat(why).contains("records 0 to 0 of films-0 are gone"));
        assertThat(shard.readApplied()).isEmpty();
    }

    @Test
    void isBuiltAnewOnRequestWhileItRuns() {
        applyAndClose();
        OpenShard shard = fixture.open(ID);
        long before = start(shard).reading();
        shard.requestRebuild("the log was truncated");
        fixture.run();
        OpenShard.Start after = start(shard);
        assertThat(after.reading()).isGreaterThan(before);
        assertThat(after.position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void opensAgainAndAsksForTheEndAfterBeingBehindForLong() {
        OpenShard shard = fixture.open(ID);
        fixture.deliver(
                shard,
                start(shard).reading(),
                log.put(100, "{\"id\":1}").heartbeat(100).take());
        long reading = 1;
        fixture.clock().advance(Duration.ofHours(2));
        log.put(200, "{\"id\":2}").heartbeat(200);
        fixture.end(ID, log.end());
        fixture.deliver(shard, reading, log.take(1));
        OpenShard.Start start = start(shard);
        assertThat(start.position()).isEqualTo(new StartPosition(2, OptionalInt.of(0)));
        assertThat(shard.status().map(ShardStatus::restoring)).contains(true);
        fixture.deliver(shard, start.reading(), log.from(2));
        assertThat(shard.status().map(ShardStatus::restoring)).contains(false);
        assertThat(offset(shard)).isEqualTo(4);
    }

    @Test
    void opensAgainTheSoonerTheShorterItsTopicLeavesRecordsAlone() {
        fixture.compactionLag(Duration.ofMinutes(6));
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.clock().advance(Duration.ofSeconds(119));
        fixture.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).as("not long behind yet").isEqualTo(1);

        fixture.clock().advance(Duration.ofSeconds(2));
        log.put(2, "{\"id\":2}");
        fixture.end(ID, log.end());
        fixture.deliver(shard, reading, log.take(1));

        assertThat(start(shard).position()).isEqualTo(new StartPosition(1, OptionalInt.of(0)));
    }

    @Test
    void takesBatchesOfATopicThatLeavesNoRecordAlone() {
        fixture.compactionLag(Duration.ZERO);
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.clock().advance(Duration.ofSeconds(20));
        fixture.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void waitsNoLongerWhereTheTopicLeavesRecordsAloneForDays() {
        fixture.compactionLag(Duration.ofDays(7));
        OpenShard shard = fixture.open(ID);
        long reading = start(shard).reading();
        fixture.clock().advance(Duration.ofMinutes(21));
        fixture.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).isZero();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void isFullUntilItIsOpenAndWhileBatchesWait() {
        fixture.brokersAway(true);
        OpenShard shard = fixture.open(ID);
        assertThat(shard.isFull()).isTrue();
        assertThat(shard.isLow()).isFalse();
        fixture.brokersAway(false);
        fixture.clock().advance(Duration.ofSeconds(2));
        fixture.run();
        assertThat(shard.isLow()).isTrue();
        long reading = start(shard).reading();
        for (int i = 1; i <= 4; i++) {
            shard.offer(log.put(i, "{\"id\":" + i + "}").take(), reading, () -> {});
        }
        assertThat(shard.isFull()).isTrue();
        fixture.run();
        assertThat(shard.isLow()).isTrue();
    }

    private void applyAndClose() {
        OpenShard shard = fixture.open(ID);
        fixture.deliver(
                shard,
                start(shard).reading(),
                log.put(1, "{\"id\":1}").heartbeat(100).take());
        fixture.end(ID, 2);
        fixture.shards().revoke(ID);
        fixture.run();
    }

    private static OpenShard.Start start(OpenShard shard) {
        return Objects.requireNonNull(shard.takeStart());
    }

    private static long offset(OpenShard shard) {
        return shard.applied().orElseThrow().checkpoint().nextOffset();
    }
}
