package dev.tidemark.worker.consume;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Objects;
import java.util.OptionalInt;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.worker.lifecycle.Lease;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.StartPosition;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.Workbench;

import static org.assertj.core.api.Assertions.assertThat;

class PollAgentTest {
    private static final ShardId ID = new ShardId("films", 0);

    private final Workbench bench = new Workbench(Tables.catalog());
    private final ChangeLog log = new ChangeLog(Tables.films());
    private final ArrayDeque<FakeSource> opened = new ArrayDeque<>();
    private Set<String> tables = Set.of("films");
    private final Lease lease = new Lease(Duration.ofSeconds(6), bench.clock());
    private final PollAgent agent = new PollAgent(this::open, () -> tables, bench.shards(), lease, bench.clock());

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
    void startsWhereTheShardIsAndHandsOver() {
        LiveShard shard = assigned();
        assertThat(source().started).containsEntry(ID, StartPosition.BEGINNING);
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        bench.run();
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
        bench.run();
        agent.doWork();
        assertThat(source().paused).isEmpty();
    }

    @Test
    void readsNothingOfAPausedTableUntilItIsResumed() {
        LiveShard shard = assigned();
        bench.shards().pause(Tables.films());
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        bench.run();
        assertThat(source().paused).containsExactly(ID);
        assertThat(offset(shard)).isZero();
        bench.shards().resume(Tables.films());
        agent.doWork();
        bench.run();
        assertThat(source().paused).isEmpty();
        assertThat(offset(shard)).isEqualTo(1);
    }

    @Test
    void rebuildsAShardThatCannotBeReadFromWhereItIs() {
        LiveShard shard = assigned();
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        bench.run();
        source().started.clear();
        source().breakOff(ID, "the log was truncated");
        agent.doWork();
        bench.run();
        agent.doWork();
        assertThat(source().started).containsEntry(ID, StartPosition.BEGINNING);
        assertThat(offset(shard)).isZero();
    }

    @Test
    void closesARevokedShardAndGoesOnWhereItWas() {
        LiveShard first = assigned();
        source().give(ID, log.put(1, "{\"id\":1}").take());
        agent.doWork();
        bench.run();
        source().assignment().revoked(List.of(ID));
        bench.end(ID, 1);
        source().assignment().assigned(List.of(ID));
        bench.run();
        agent.doWork();
        assertThat(first.isClosed()).isTrue();
        assertThat(source().started).containsEntry(ID, new StartPosition(1, OptionalInt.of(0)));
    }

    @Test
    void notesProgressForOnlookers() {
        assigned();
        source().give(ID, log.put(1, "{\"id\":1}").heartbeat(5).take());
        agent.doWork();
        bench.run();
        bench.clock().advance(Duration.ofMillis(600));
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
        bench.run();
        bench.clock().advance(Duration.ofMillis(600));
        agent.doWork();
        int asked = source().confirmations.size();
        Runnable before = source().confirmations.get(asked - 1);
        bench.clock().advance(Duration.ofSeconds(7));
        assertThat(lease.refusal()).isPresent();
        agent.doWork();
        before.run();
        assertThat(lease.refusal()).isPresent();
        source().confirmations.get(asked).run();
        assertThat(lease.refusal()).isEmpty();
    }

    @Test
    void beginsAnewAfterAFailureOfTheSource() {
        LiveShard shard = assigned();
        FakeSource failing = source();
        failing.failNextPoll(new IllegalStateException("fenced"));
        agent.doWork();
        bench.run();
        assertThat(failing.closed).isTrue();
        assertThat(shard.isClosed()).isTrue();
        agent.doWork();
        assertThat(opened).hasSize(1);
        bench.clock().advance(Duration.ofSeconds(2));
        agent.doWork();
        assertThat(opened).hasSize(2);
        assertThat(source().followed).containsExactly("films");
    }

    @Test
    void letsTheShardsGoWhenItEnds() {
        LiveShard shard = assigned();
        agent.onClose();
        bench.run();
        assertThat(source().closed).isTrue();
        assertThat(shard.isClosed()).isTrue();
        assertThat(bench.shards().assigned()).isEmpty();
    }

    private LiveShard assigned() {
        agent.doWork();
        source().assignment().assigned(List.of(ID));
        bench.run();
        agent.doWork();
        return bench.shards().find(ID).orElseThrow();
    }

    private FakeSource open() {
        FakeSource source = new FakeSource();
        opened.add(source);
        return source;
    }

    private FakeSource source() {
        return opened.getLast();
    }

    private static long offset(LiveShard shard) {
        return shard.status().orElseThrow().checkpoint().nextOffset();
    }
}
