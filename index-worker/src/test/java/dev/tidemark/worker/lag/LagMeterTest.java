package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexState;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.clocks.ClockEstimate;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.WriterTime;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.Workbench;

import static org.assertj.core.api.Assertions.assertThat;

class LagMeterTest {
    private static final ShardId ID = new ShardId("films", 0);

    private final Workbench bench = new Workbench(Tables.catalog());
    private final ChangeLog log = new ChangeLog(Tables.films());
    private final LagMeter meter = bench.lag();

    @Test
    void countsWhatIsPublishedAndNotApplied() {
        LiveShard shard = following();
        sample(7);
        assertThat(meter.of(shard).recordsBehind()).hasValue(5);
        sample(2);
        assertThat(meter.of(shard).recordsBehind()).hasValue(0);
    }

    @Test
    void withdrawsACountThatGrowsOld() {
        LiveShard shard = following();
        sample(2);
        bench.clock().advance(Duration.ofSeconds(4));
        assertThat(meter.of(shard).recordsBehind()).isEmpty();
        assertThat(LagMeter.recordsBehind(meter.of(Tables.films()))).isEmpty();
    }

    @Test
    void forgetsWhatItCountedOfAShardThatWasLetGo() {
        following();
        sample(7);
        bench.clock().advance(Duration.ofSeconds(2));
        sample(7);
        assertThat(meter.rates(Tables.films())).isPresent();
        bench.shards().revoke(ID);
        bench.run();
        sample(7);

        assertThat(meter.of(bench.open(ID)).recordsBehind()).isEmpty();
        assertThat(meter.rates(Tables.films())).isEmpty();
    }

    @Test
    void aShardThatFollowsHadEverythingWhenNothingWasBehind() {
        LiveShard shard = following();
        Instant opened = bench.clock().instant();
        bench.clock().advance(Duration.ofMinutes(1));

        sample(7);
        assertThat(lastCaughtUp(shard)).isEqualTo(opened);
        sample(2);
        assertThat(lastCaughtUp(shard)).isEqualTo(bench.clock().instant());
    }

    @Test
    void aShardThatRestoresHadNotEverythingAlthoughItsTopicHasBecomeShorter() {
        bench.end(ID, 9);
        LiveShard shard = following();
        Instant opened = bench.clock().instant();
        bench.clock().advance(Duration.ofMinutes(1));

        sample(2);

        assertThat(lastCaughtUp(shard)).isEqualTo(opened);
    }

    @Test
    void anIndexIsCompleteUpToNoTimeThatOneOfItsShardsDoesNotKnow() {
        TableDefinition people = Tables.people();
        LiveShard early = bench.open(new ShardId("people", 0));
        LiveShard late = bench.open(new ShardId("people", 1));
        bench.deliver(early, begin(early), new ChangeLog(people).heartbeat(95).take());
        assertThat(LagMeter.completeUpTo(meter.of(people))).isEmpty();

        bench.deliver(late, begin(late), new ChangeLog(people).heartbeat(90).take());
        assertThat(LagMeter.completeUpTo(meter.of(people))).contains(ChangeLog.at(90));
    }

    @Test
    void freshnessGrowsWithoutAnybodySampling() {
        following();
        bench.clock().advance(Duration.ofMinutes(3));
        assertThat(LagMeter.freshness(meter.of(Tables.films()))).contains(Duration.ofMinutes(3));
    }

    @Test
    void countsTheTimeInWhichTheMachineWasSuspended() {
        LiveShard shard = following();
        ManualClock wall = new ManualClock(bench.clock().instant());
        LagMeter suspended = new LagMeter(bench.shards(), new SteadyClock(wall, () -> 0), WriterTime.SAME);
        suspended.sampled(shard, 2, wall.instant());
        assertThat(suspended.state(Tables.films())).isEqualTo(IndexState.STEADY);

        // The wall clock shows the pause; the timer has stood still.
        wall.advance(Duration.ofMinutes(10));

        assertThat(suspended.of(shard).freshness()).contains(Duration.ofMinutes(10));
        assertThat(suspended.of(shard).recordsBehind()).isEmpty();
        assertThat(suspended.state(Tables.films())).isNotEqualTo(IndexState.STEADY);
    }

    @Test
    void measuresOnTheWritersClock() {
        LiveShard shard = following();
        ClockEstimate estimate = new ClockEstimate(bench.clock().instant());
        LagMeter elsewhere = new LagMeter(bench.shards(), bench.clock(), estimate);

        assertThat(elsewhere.of(shard).freshness()).isEmpty();
        assertThat(elsewhere.of(shard).completeUpTo()).isEqualTo(meter.of(shard).completeUpTo());
        assertThat(elsewhere.state(Tables.films())).isEqualTo(IndexState.UNKNOWN);

        Instant now = bench.clock().instant();
        estimate.answered(new ClockReading(now, now, now.plus(Duration.ofHours(1)), "a"));

        assertThat(elsewhere.of(shard).freshness())
                .isEqualTo(meter.of(shard).freshness().map(age -> age.plusHours(1)));
    }

    @Test
    void aWatermarkFromTheFutureIsNoYoungerThanTheLastAnswer() {
        LiveShard shard = following();
        ClockEstimate estimate = new ClockEstimate(bench.clock().instant());
        LagMeter elsewhere = new LagMeter(bench.shards(), bench.clock(), estimate);
        Instant now = bench.clock().instant();
        estimate.answered(new ClockReading(now, now, now.minus(Duration.ofHours(1)), "a"));

        bench.clock().advance(Duration.ofSeconds(3));

        assertThat(elsewhere.of(shard).freshness()).contains(Duration.ofSeconds(3));
        assertThat(estimate.isInDoubt()).isTrue();
    }

    @Test
    void saysNothingWithoutShards() {
        assertThat(LagMeter.freshness(meter.of(Tables.films()))).isEmpty();
        assertThat(LagMeter.recordsBehind(meter.of(Tables.films()))).isEmpty();
        assertThat(LagMeter.oldestUnapplied(meter.of(Tables.films()))).isEmpty();
    }

    @Test
    void keepsQuietWhenTheBrokersDo() {
        LiveShard shard = following();
        LagAgent agent = new LagAgent(
                meter,
                shards -> {
                    throw new IllegalStateException("away");
                },
                Duration.ofMillis(500),
                bench.clock());
        assertThat(agent.doWork()).isEqualTo(1);
        assertThat(agent.doWork()).isZero();
        assertThat(meter.of(shard).recordsBehind()).isEmpty();
    }

    private LiveShard following() {
        LiveShard shard = bench.open(ID);
        bench.deliver(
                shard, begin(shard), log.put(99, "{\"id\":1}").heartbeat(100).take());
        return shard;
    }

    private static long begin(LiveShard shard) {
        return Objects.requireNonNull(shard.takeStart()).reading();
    }

    private Instant lastCaughtUp(LiveShard shard) {
        List<Instant> times = new ArrayList<>();
        shard.ask(applier -> times.add(applier.lastCaughtUp()));
        bench.run();
        return times.get(0);
    }

    private void sample(long end) {
        new LagAgent(meter, shards -> EndOffsets.Ends.of(Map.of(ID, end)), Duration.ofMillis(500), bench.clock())
                .doWork();
    }
}
