package dev.tidemark.worker.lifecycle;

import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;

import dev.tidemark.rocks.StoreException;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.Workbench;

import static org.assertj.core.api.Assertions.assertThat;

class LiveShardTest {
    private static final ShardId ID = new ShardId("films", 0);

    private final Workbench bench = new Workbench(Tables.catalog());
    private final ChangeLog log = new ChangeLog(Tables.films());

    @Test
    void aNewShardAsksForTheBeginning() {
        LiveShard shard = bench.open(ID);
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(shard.takeStart()).isNull();
    }

    @Test
    void aShardThatWasHereGoesOnWithItsLeaderEpoch() {
        applyAndClose();
        LiveShard again = bench.open(ID);
        assertThat(start(again).position()).isEqualTo(new StartPosition(2, OptionalInt.of(0)));
    }

    @Test
    void aBatchOfAnEarlierReadingIsDropped() {
        LiveShard shard = bench.open(ID);
        long reading = start(shard).reading();
        bench.deliver(shard, reading - 1, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).isZero();
        bench.deliver(shard, reading, log.from(0));
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void closesAfterTheBatchUnderWayAndLeavesTheRest() {
        LiveShard shard = bench.open(ID);
        shard.offer(log.put(1, "{\"id\":1}").take(), start(shard).reading());
        bench.shards().revoke(ID);
        bench.run();
        assertThat(shard.isClosed()).isTrue();
        assertThat(shard.read()).isEmpty();
        assertThat(start(bench.open(ID)).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void whatWasHandedOverIsReadAgainAfterTheTableWasPaused() {
        LiveShard shard = bench.open(ID);
        long reading = start(shard).reading();
        bench.shards().pause(Tables.films());
        bench.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(shard.hasWork()).as("nothing to wake up for").isFalse();
        assertThat(shard.isFull()).isTrue();
        assertThat(shard.isLow()).isFalse();
        assertThat(offset(shard)).isZero();
        assertThat(shard.read()).as("it can be read").isPresent();
        bench.shards().resume(Tables.films());
        LiveShard.Start again = start(shard);
        assertThat(again.position()).isEqualTo(StartPosition.BEGINNING);
        shard.offer(log.from(0), again.reading());
        assertThat(shard.hasWork()).isTrue();
        bench.run();
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void isOpenedAgainWithGrowingPausesWhileTheBrokersAreAway() {
        bench.brokersAway(true);
        LiveShard shard = bench.open(ID);
        assertThat(shard.failure()).contains("the brokers are away");
        bench.clock().advance(Duration.ofMillis(1_100));
        bench.run();
        bench.brokersAway(false);
        bench.clock().advance(Duration.ofMillis(1_900));
        bench.run();
        assertThat(shard.failure()).isPresent();
        bench.clock().advance(Duration.ofMillis(200));
        bench.run();
        assertThat(shard.failure()).isEmpty();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void isOpenedAgainWhereItWasOnDiskAfterAWriteAtWhichTheDiskFailed() {
        LiveShard shard = bench.open(ID);
        long reading = start(shard).reading();
        bench.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        bench.stores().opened(ID).failNextCommit(failed("While fdatasync: Input/output error"));

        bench.deliver(shard, reading, log.put(2, "{\"id\":2}").take());

        goesOnFrom(shard, reading, 1);
    }

    @Test
    void isOpenedAgainWhereItWasOnDiskAfterAReadAtWhichTheDiskFailed() {
        LiveShard shard = bench.open(ID);
        long reading = start(shard).reading();
        bench.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        bench.stores().opened(ID).failNextRead(failed("While pread: Input/output error"));

        bench.deliver(shard, reading, log.put(2, "{\"id\":2}").take());

        goesOnFrom(shard, reading, 1);
    }

    @Test
    void isClosedAndOpenedAgainWhereItsOriginCouldNotBeRead() {
        applyAndClose();
        bench.stores().failNextOrigin(failed("While pread: Input/output error"));

        LiveShard shard = bench.open(ID);

        assertThat(shard.failure()).hasValueSatisfying(why -> assertThat(why).contains("Input/output error"));
        bench.clock().advance(Duration.ofSeconds(1));
        bench.run();
        assertThat(shard.failure()).isEmpty();
        assertThat(start(shard).position()).as("what was on disk").isEqualTo(new StartPosition(2, OptionalInt.of(0)));
    }

    private static StoreException failed(String how) {
        return new StoreException(how, new IOException(how));
    }

    /** It says why it does not work, opens its store anew a second later, and takes what failed once more. */
    private void goesOnFrom(LiveShard shard, long before, long offset) {
        assertThat(shard.failure()).hasValueSatisfying(why -> assertThat(why).contains("Input/output error"));
        assertThat(shard.read()).as("what it holds is not known").isEmpty();
        assertThat(shard.takeStart()).isNull();

        bench.end(ID, log.end());
        bench.clock().advance(Duration.ofSeconds(1));
        bench.run();

        LiveShard.Start again = start(shard);
        assertThat(again.position()).isEqualTo(new StartPosition(offset, OptionalInt.of(0)));
        assertThat(again.reading()).isGreaterThan(before);
        assertThat(shard.failure()).isEmpty();
        bench.deliver(shard, again.reading(), log.from(offset));
        assertThat(offset(shard)).isEqualTo(offset + 1);
    }

    @Test
    void isBuiltAnewWhenTheTopicIs() {
        applyAndClose();
        bench.recreateTopics("topic-2");
        LiveShard shard = bench.open(ID);
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(shard.topicId()).contains("topic-2");
        assertThat(offset(shard)).isZero();
    }

    @Test
    void doesNotGoOnWhereRecordsThatItHasNotReadAreGoneUntilTheTopicIsMadeAnew() {
        applyAndClose();
        bench.beginAt(3);
        LiveShard shard = bench.open(ID);
        assertThat(shard.failure())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("records 2 to 2 of films-0 are gone")
                        .contains("the writer makes topic tidemark.changes.films anew"));
        assertThat(shard.read()).as("what is left of it may be wrong").isEmpty();

        bench.recreateTopics("topic-2");
        bench.beginAt(0);
        bench.clock().advance(Duration.ofSeconds(1));
        bench.run();
        assertThat(shard.failure()).isEmpty();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void goesOnWhereOnlyRecordsAreGoneThatItHasRead() {
        applyAndClose();
        bench.beginAt(2);
        assertThat(start(bench.open(ID)).position()).isEqualTo(new StartPosition(2, OptionalInt.of(0)));
    }

    @Test
    void answersUntilItCanBeBuiltFromATopicThatHasEverything() {
        applyAndClose();
        LiveShard shard = bench.open(ID);
        start(shard);
        bench.beginAt(3);
        shard.cannotGoOn("the offset to go on from is no longer in the log");
        bench.run();
        assertThat(shard.read()).as("what it has is true, and grows stale").isPresent();
        assertThat(shard.unread())
                .hasValueSatisfying(why -> assertThat(why)
                        .contains("no longer in the log")
                        .contains("records 0 to 2 of films-0 are gone"));
        assertThat(shard.failure()).isEmpty();
        assertThat(shard.takeStart()).isNull();

        bench.recreateTopics("topic-2");
        bench.beginAt(0);
        bench.run();
        assertThat(shard.topicId()).as("before it is asked again").contains("topic-1");
        bench.clock().advance(Duration.ofSeconds(1));
        bench.run();
        assertThat(shard.topicId()).contains("topic-2");
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void answersWhileTheBrokersDoNotTellWhetherItCanBeBuilt() {
        applyAndClose();
        LiveShard shard = bench.open(ID);
        start(shard);
        bench.brokersAway(true);
        shard.cannotGoOn("the log was truncated below what it has read");
        bench.run();
        assertThat(shard.read()).isPresent();
        assertThat(shard.unread()).hasValueSatisfying(why -> assertThat(why).contains("the brokers are away"));

        bench.brokersAway(false);
        bench.clock().advance(Duration.ofSeconds(1));
        bench.run();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
        assertThat(offset(shard)).isZero();
    }

    @Test
    void isClosedWhileItCannotGoOn() {
        applyAndClose();
        LiveShard shard = bench.open(ID);
        bench.beginAt(3);
        shard.cannotGoOn("the offset to go on from is no longer in the log");
        bench.run();
        bench.shards().revoke(ID);
        bench.run();
        assertThat(shard.isClosed()).isTrue();
    }

    @Test
    void isNotBuiltFromATopicThatHasLostItsOldestRecords() {
        applyAndClose();
        LiveShard shard = bench.open(ID);
        bench.beginAt(1);
        shard.requestRebuild("a file is damaged");
        bench.run();
        bench.run();
        assertThat(shard.failure())
                .hasValueSatisfying(why -> assertThat(why).contains("records 0 to 0 of films-0 are gone"));
        assertThat(shard.read()).isEmpty();
    }

    @Test
    void isBuiltAnewOnRequestWhileItRuns() {
        applyAndClose();
        LiveShard shard = bench.open(ID);
        long before = start(shard).reading();
        shard.requestRebuild("the log was truncated");
        bench.run();
        LiveShard.Start after = start(shard);
        assertThat(after.reading()).isGreaterThan(before);
        assertThat(after.position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void opensAgainAndAsksForTheEndAfterBeingBehindForLong() {
        LiveShard shard = bench.open(ID);
        bench.deliver(
                shard,
                start(shard).reading(),
                log.put(100, "{\"id\":1}").heartbeat(100).take());
        long reading = 1;
        bench.clock().advance(Duration.ofHours(2));
        log.put(200, "{\"id\":2}").heartbeat(200);
        bench.end(ID, log.end());
        bench.deliver(shard, reading, log.take(1));
        LiveShard.Start start = start(shard);
        assertThat(start.position()).isEqualTo(new StartPosition(2, OptionalInt.of(0)));
        assertThat(shard.status().map(ShardStatus::restoring)).contains(true);
        bench.deliver(shard, start.reading(), log.from(2));
        assertThat(shard.status().map(ShardStatus::restoring)).contains(false);
        assertThat(offset(shard)).isEqualTo(4);
    }

    @Test
    void opensAgainTheSoonerTheShorterItsTopicLeavesRecordsAlone() {
        bench.compactionLag(Duration.ofMinutes(6));
        LiveShard shard = bench.open(ID);
        long reading = start(shard).reading();
        bench.clock().advance(Duration.ofSeconds(119));
        bench.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).as("not long behind yet").isEqualTo(1);

        bench.clock().advance(Duration.ofSeconds(2));
        log.put(2, "{\"id\":2}");
        bench.end(ID, log.end());
        bench.deliver(shard, reading, log.take(1));

        assertThat(start(shard).position()).isEqualTo(new StartPosition(1, OptionalInt.of(0)));
    }

    @Test
    void takesBatchesOfATopicThatLeavesNoRecordAlone() {
        bench.compactionLag(Duration.ZERO);
        LiveShard shard = bench.open(ID);
        long reading = start(shard).reading();
        bench.clock().advance(Duration.ofSeconds(20));
        bench.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void waitsNoLongerWhereTheTopicLeavesRecordsAloneForDays() {
        bench.compactionLag(Duration.ofDays(7));
        LiveShard shard = bench.open(ID);
        long reading = start(shard).reading();
        bench.clock().advance(Duration.ofMinutes(21));
        bench.deliver(shard, reading, log.put(1, "{\"id\":1}").take());
        assertThat(offset(shard)).isZero();
        assertThat(start(shard).position()).isEqualTo(StartPosition.BEGINNING);
    }

    @Test
    void isFullUntilItIsOpenAndWhileBatchesWait() {
        bench.brokersAway(true);
        LiveShard shard = bench.open(ID);
        assertThat(shard.isFull()).isTrue();
        assertThat(shard.isLow()).isFalse();
        bench.brokersAway(false);
        bench.clock().advance(Duration.ofSeconds(2));
        bench.run();
        assertThat(shard.isLow()).isTrue();
        long reading = start(shard).reading();
        for (int i = 1; i <= 4; i++) {
            shard.offer(log.put(i, "{\"id\":" + i + "}").take(), reading);
        }
        assertThat(shard.isFull()).isTrue();
        bench.run();
        assertThat(shard.isLow()).isTrue();
    }

    private void applyAndClose() {
        LiveShard shard = bench.open(ID);
        bench.deliver(
                shard,
                start(shard).reading(),
                log.put(1, "{\"id\":1}").heartbeat(100).take());
        bench.end(ID, 2);
        bench.shards().revoke(ID);
        bench.run();
    }

    private static LiveShard.Start start(LiveShard shard) {
        return Objects.requireNonNull(shard.takeStart());
    }

    private static long offset(LiveShard shard) {
        return shard.status().orElseThrow().checkpoint().nextOffset();
    }
}
