package dev.tidemark.worker.consume;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.shard.Lease;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

class PollAgentTest {
    private static final ShardId ID = new ShardId("films", 0);

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final ChangeLog log = new ChangeLog(Tables.films());
    private final ArrayDeque<FakeSource> opened = new ArrayDeque<>();
    private Set<String> tables = Set.of("films");
    private final Lease lease = new Lease(Duration.ofSeconds(6), fixture.clock());
    private Instant topicsSeen = Instant.MAX;
    private final MemoryBudget.Part memory = new MemoryBudget(4 << 20).part("mailboxes", 1);
    private final PollAgent agent = new PollAgent(
            this::open,
            () -> tables,
            (table, since) -> topicsSeen.isAfter(since),
            fixture.shards(),
            memory,
            lease,
            fixture.clock());

    @Test
    void waitsUntilThereIsATopic() {
        tables = Set.of();
        assertThat(agent.doWork()).isZero();
        assertThat(opened).isEmpty();
        tables = Set.of("films");
        agent.doWork();
        assertThat(source().followed).containsExactly("films");
        tables = Set.of("films", "people");
        agent.doWork();
        assertThat(source().followed).containsExactlyInAnyOrder("films", "people");
    }

    @Test
    void isSettledOnceTheGroupHasSpokenOfAllTables() {
        assertThat(agent.isSettled()).isFalse();
        assigned();
        assertThat(agent.isSettled()).isTrue();
        tables = Set.of("films", "people");
        assertThat(agent.isSettled()).isFalse();
        agent.doWork();
        assertThat(agent.isSettled()).isFalse();
        source().assignment().assigned(List.of());
        assertThat(agent.isSettled()).isTrue();
    }

    @Test
    void readsNoPartitionThatItsTableDoesNotHave() {
        agent.doWork();
        source().assignment().assigned(List.of(ID, new ShardId("films", 1)));
        fixture.run();
        agent.doWork();

        assertThat(fixture.shards().assigned()).extracting(OpenShard::id).containsExactly(ID);
        assertThat(source().started).containsOnlyKeys(ID);
    }

    @Test
    void startsWhereTheShardIsAndHandsOver() {
        OpenShard shard = assigned();
        assertThat(source().started).containsEntry(ID, StartPosition.BEGINNING);
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        fixture.run();
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void pausesAShardThatCannotKeepUpAndResumesItLater() {
        assigned();
        assertThat(source().paused).isEmpty();
        for (int i = 1; i <= 4; i++) {
            source().give(ID, log.put(i, "{\"id\":" + i + "}").take());
            agent.doWork();
        }
        agent.doWork();
        assertThat(source().paused).containsExactly(ID);
        fixture.run();
        agent.doWork();
        assertThat(source().paused).isEmpty();
    }

    @Test
    void readsNothingOfAPausedTableUntilItIsResumed() {
        OpenShard shard = assigned();
        fixture.pause(Tables.films());
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        fixture.run();
        assertThat(source().paused).containsExactly(ID);
        assertThat(offset(shard)).isZero();
        fixture.resume(Tables.films());
        agent.doWork();
        fixture.run();
        assertThat(source().paused).isEmpty();
        assertThat(source().started).as("what was read is read again").containsEntry(ID, StartPosition.BEGINNING);
        source().give(ID, log.from(0));
        agent.doWork();
        fixture.run();
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void whatWaitsIsReservedAndNothingMoreIsTakenWhenNoMemoryIsLeft() {
        tables = Set.of("films", "people");
        ShardId other = new ShardId("people", 2);
        agent.doWork();
        source().assignment().assigned(List.of(ID, other));
        fixture.run();
        agent.doWork();
        String large = "x".repeat(1 << 20);
        for (int id = 1; id <= 2; id++) {
            source().give(
                            ID,
                            log.put(id, "{\"id\":" + id + ",\"title\":\"" + large + "\"}")
                                    .take());
            agent.doWork();
        }
        assertThat(source().allowed).isEqualTo(memory.limit() / 4 / 2);
        assertThat(memory.reserved()).isGreaterThan(2 << 20);
        source().give(ID, log.put(3, "{\"id\":3,\"title\":\"" + large + "\"}").take());
        agent.doWork();
        agent.doWork();

        assertThat(source().paused).as("the one with something to do").containsExactly(ID);
        assertThat(source().allowed).as("a record for the other").isEqualTo(1);
        assertThat(memory.reserved()).isLessThan(memory.limit());

        fixture.run();
        agent.doWork();
        assertThat(memory.reserved()).isZero();
        assertThat(source().paused).isEmpty();
        assertThat(offset(fixture.shards().find(ID).orElseThrow())).isEqualTo(3);
    }

    @Test
    void memoryOfAPausedTableOrOfAShardThatGoesIsFree() {
        assigned();
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        assertThat(memory.reserved()).isPositive();
        fixture.pause(Tables.films());
        fixture.run();
        assertThat(memory.reserved()).isZero();

        fixture.resume(Tables.films());
        agent.doWork();
        source().give(ID, log.from(0));
        agent.doWork();
        assertThat(memory.reserved()).isPositive();
        source().assignment().revoked(List.of(ID));
        fixture.run();
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void rebuildsAShardThatCannotBeReadFromWhereItIs() {
        OpenShard shard = assigned();
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        fixture.run();
        source().started.clear();
        source().breakOff(ID, "the log was truncated");
        agent.doWork();
        fixture.run();
        agent.doWork();
        assertThat(source().started).containsEntry(ID, StartPosition.BEGINNING);
        assertThat(offset(shard)).isZero();
    }

    /** It waits to be read again after a failure, so that the source is still where the shard was before. */
    @Test
    void aShardThatWasBuiltAgainIsNotBuiltOnceMoreBeforeTheSourceIsMovedToIt() {
        OpenShard shard = assigned();
        source().fail(ID, "not authorized to read it");
        agent.doWork();
        shard.requestRebuild("its topic was recreated");
        fixture.run();
        int openings = shard.openings();

        source().breakOff(ID, "the log was truncated");
        agent.doWork();
        fixture.run();

        assertThat(shard.openings()).isEqualTo(openings);
        fixture.clock().advance(Duration.ofMillis(1_100));
        agent.doWork();
        assertThat(source().started).containsEntry(ID, StartPosition.BEGINNING);
    }

    @Test
    void aShardThatCannotBeReadOnAnswersUntilItsTopicIsMadeAnew() {
        OpenShard shard = assigned();
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        fixture.run();
        fixture.beginAt(7);
        source().breakOff(ID, "the offset to go on from is no longer in the log");
        agent.doWork();
        fixture.run();
        agent.doWork();
        assertThat(shard.readApplied()).isPresent();
        assertThat(shard.unread()).isPresent();
        assertThat(source().paused).as("nothing is read meanwhile").containsExactly(ID);

        fixture.beginAt(0);
        fixture.recreateTopics("topic-2");
        fixture.clock().advance(Duration.ofSeconds(1));
        fixture.run();
        agent.doWork();
        assertThat(source().started).containsEntry(ID, StartPosition.BEGINNING);
        assertThat(shard.unread()).isEmpty();
        assertThat(offset(shard)).isZero();
    }

    @Test
    void aPollThatTakesLongIsNoPause() {
        assigned();
        for (int tenths = 0; tenths < 100; tenths++) {
            fixture.clock().advance(Duration.ofMillis(100));
            source().assignment().runs();
        }
        agent.doWork();
        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void closesARevokedShardAndGoesOnWhereItWas() {
        OpenShard first = assigned();
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        fixture.run();
        source().assignment().revoked(List.of(ID));
        fixture.end(ID, 1);
        source().assignment().assigned(List.of(ID));
        fixture.run();
        agent.doWork();
        assertThat(first.isClosed()).isTrue();
        assertThat(source().started).containsEntry(ID, new StartPosition(1, OptionalInt.of(0)));
    }

    @Test
    void notesProgressForOnlookers() {
        assigned();
        source().give(ID, log.put(1, "{\"id\":1}").heartbeat(5).take());
        agent.doWork();
        fixture.run();
        fixture.clock().advance(Duration.ofMillis(600));
        agent.doWork();
        assertThat(source().noted.get(ID))
                .satisfies(noted ->
                        assertThat(Objects.requireNonNull(noted).nextOffset()).isEqualTo(2));
    }

    @Test
    void aShardThatHasReadNothingTakesBackWhatAnotherWorkerNoted() {
        assigned();
        assertThat(source().noted.get(ID))
                .satisfies(noted -> assertThat(
                                Objects.requireNonNull(noted).progress().watermark())
                        .isEmpty());
    }

    @Test
    void aPausedProcessIsSilentUntilTheGroupTakesANoteGivenAfterwards() {
        assigned();
        source().give(ID, log.put(1, "{\"id\":1}").heartbeat(5).take());
        agent.doWork();
        fixture.run();
        fixture.clock().advance(Duration.ofMillis(600));
        agent.doWork();
        int asked = source().confirmations.size();
        Runnable before = source().confirmations.get(asked - 1);
        fixture.clock().advance(Duration.ofSeconds(7));
        assertThat(lease.refusal()).isPresent();
        agent.doWork();
        before.run();
        assertThat(lease.refusal()).isPresent();
        source().confirmations.get(asked).run();
        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void anotherSourceGoesOnAfterAFailureAndTheShardsAnswerMeanwhile() {
        OpenShard shard = assigned();
        FakeSource failing = source();
        failing.give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        failing.failNextPoll(new IllegalStateException("the credentials have expired"));
        agent.doWork();
        fixture.run();
        assertThat(failing.closed).isTrue();
        assertThat(shard.isClosed()).isFalse();
        assertThat(shard.readApplied()).isPresent();
        assertThat(shard.unread()).hasValueSatisfying(why -> assertThat(why).contains("the credentials have expired"));
        assertThat(fixture.lag().of(shard).failure()).isPresent();
        assertThat(agent.isSettled()).as("what is here is still this worker's").isTrue();
        agent.doWork();
        assertThat(opened).hasSize(1);
        fixture.clock().advance(Duration.ofSeconds(2));
        agent.doWork();
        assertThat(source().followed).containsExactly("films");

        source().assignment().assigned(List.of(ID));
        agent.doWork();

        assertThat(opened).hasSize(2);
        assertThat(fixture.shards().find(ID)).contains(shard);
        assertThat(source().started).containsEntry(ID, new StartPosition(1, OptionalInt.of(0)));
        assertThat(shard.unread()).isEmpty();
        source().give(ID, log.put(2, "{\"id\":2}").take());
        agent.doWork();
        fixture.run();
        assertThat(offset(shard)).isEqualTo(2);
    }

    @Test
    void whatASourceSaysWhileItIsGivenUpTakesNoShardAway() {
        OpenShard shard = assigned();
        FakeSource failing = source();
        failing.failNextPoll(new IllegalStateException("fenced"));
        agent.doWork();
        failing.assignment().revoked(List.of(ID));
        fixture.run();
        assertThat(shard.readApplied()).isPresent();
    }

    @Test
    void aShardThatTheGroupDoesNotGiveBackGoesWhenTheLeaseIsOver() {
        OpenShard shard = assigned();
        source().failNextPoll(new IllegalStateException("fenced"));
        agent.doWork();
        fixture.clock().advance(Duration.ofSeconds(2));
        agent.doWork();
        source().assignment().assigned(List.of());
        agent.doWork();
        fixture.run();
        assertThat(shard.readApplied()).isPresent();

        fixture.clock().advance(lease.length());
        agent.doWork();
        fixture.run();

        assertThat(shard.isClosed()).isTrue();
        assertThat(fixture.shards().assigned()).isEmpty();
    }

    @Test
    void aWorkerThatWasStruckOffAnswersUntilItsLeaseIsOver() {
        OpenShard shard = assigned();
        source().assignment().lost(List.of(ID));
        agent.doWork();
        fixture.run();
        assertThat(shard.readApplied()).isPresent();
        assertThat(lease.refusal()).isEmpty();
        for (int i = 0; i < 7; i++) {
            fixture.clock().advance(Duration.ofSeconds(1));
            agent.doWork();
        }
        assertThat(lease.refusal()).hasValueSatisfying(why -> assertThat(why).contains("another worker's"));

        source().assignment().assigned(List.of(ID));
        agent.doWork();
        source().confirmations.get(source().confirmations.size() - 1).run();

        assertThat(lease.refusal()).isEmpty();
        assertThat(fixture.shards().find(ID)).contains(shard);
    }

    /** A look at topics before a source watches them again says nothing of the time until then. */
    @Test
    void readsNothingIntoAShardWhoseTopicMayBeAnotherByNow() {
        assigned();
        source().failNextPoll(new IllegalStateException("fenced"));
        agent.doWork();
        fixture.clock().advance(Duration.ofSeconds(1));
        topicsSeen = fixture.clock().instant();
        agent.doWork();
        fixture.clock().advance(Duration.ofSeconds(1));
        agent.doWork();
        source().assignment().assigned(List.of(ID));
        agent.doWork();
        assertThat(source().started).isEmpty();

        fixture.clock().advance(Duration.ofSeconds(1));
        topicsSeen = fixture.clock().instant();
        agent.doWork();
        assertThat(source().started).containsOnlyKeys(ID);
    }

    @Test
    void aPartitionThatFailsIsTriedAgainWithGrowingPausesWhileOthersGoOn() {
        tables = Set.of("films", "people");
        ShardId other = new ShardId("people", 2);
        agent.doWork();
        source().assignment().assigned(List.of(ID, other));
        fixture.run();
        agent.doWork();
        OpenShard shard = fixture.shards().find(ID).orElseThrow();
        source().started.clear();

        source().fail(ID, "not authorized to read it");
        agent.doWork();
        agent.doWork();

        assertThat(opened).hasSize(1);
        assertThat(source().paused).containsExactly(ID);
        assertThat(shard.readApplied()).isPresent();
        assertThat(shard.unread()).contains("not authorized to read it");
        assertThat(fixture.shards().find(other).orElseThrow().unread()).isEmpty();
        assertThat(source().started).isEmpty();

        fixture.clock().advance(Duration.ofMillis(1_100));
        agent.doWork();
        assertThat(source().started).containsOnlyKeys(ID);
        assertThat(source().paused).isEmpty();
        source().started.clear();
        source().fail(ID, "not authorized to read it");
        agent.doWork();
        fixture.clock().advance(Duration.ofMillis(1_100));
        agent.doWork();
        assertThat(source().started).as("the second pause is longer").isEmpty();
        fixture.clock().advance(Duration.ofSeconds(1));
        agent.doWork();
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        fixture.run();
        assertThat(offset(shard)).isEqualTo(1);
        assertThat(shard.unread()).isEmpty();
    }

    @Test
    void aPartitionThatFailedAndIsEmptyIsWellOnceItDoesNotFailAgain() {
        OpenShard shard = assigned();
        source().fail(ID, "a damaged batch");
        agent.doWork();
        fixture.clock().advance(Duration.ofSeconds(2));
        agent.doWork();
        assertThat(shard.unread()).contains("a damaged batch");
        fixture.clock().advance(Duration.ofSeconds(5));
        agent.doWork();
        assertThat(shard.unread()).isEmpty();
    }

    @Test
    void aPartitionThatFailedIsReadAgainWhereTheProcessStoodStillForItsPause() {
        assigned();
        assertThat(source().paused).isEmpty();
        source().fail(ID, "a damaged batch");
        agent.doWork();
        assertThat(source().paused).as("the source pauses it").containsExactly(ID);
        fixture.clock().advance(Duration.ofMinutes(1));
        agent.doWork();
        assertThat(source().paused).isEmpty();
    }

    @Test
    void aPartitionOfATableThatNobodyDefinesLeavesTheOthersReadable() {
        agent.doWork();
        source().assignment().assigned(List.of(ID, new ShardId("unknown", 0)));
        fixture.run();
        agent.doWork();
        assertThat(fixture.shards().assigned()).hasSize(1);
        assertThat(source().started).containsOnlyKeys(ID);
    }

    @Test
    void resumesNothingBeforeItsShardHasSaidWhereToStart() {
        fixture.brokersAway(true);
        agent.doWork();
        source().assignment().assigned(List.of(ID));
        source().paused.add(ID);
        agent.doWork();
        OpenShard shard = fixture.shards().find(ID).orElseThrow();
        fixture.brokersAway(false);
        // It opens between the question where to start and the one whether there is room.
        fixture.run();
        shard.takeStart();
        agent.doWork();
        assertThat(source().paused).containsExactly(ID);
    }

    @Test
    void letsTheShardsGoWhenItEnds() {
        OpenShard shard = assigned();
        agent.onClose();
        fixture.run();
        assertThat(source().closed).isTrue();
        assertThat(shard.isClosed()).isTrue();
        assertThat(fixture.shards().assigned()).isEmpty();
    }

    private OpenShard assigned() {
        agent.doWork();
        source().assignment().assigned(List.of(ID));
        fixture.run();
        agent.doWork();
        return fixture.shards().find(ID).orElseThrow();
    }

    private FakeSource open() {
        FakeSource source = new FakeSource();
        opened.add(source);
        return source;
    }

    private FakeSource source() {
        return opened.getLast();
    }

    private static long offset(OpenShard shard) {
        return shard.applied().orElseThrow().checkpoint().nextOffset();
    }
}
