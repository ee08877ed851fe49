package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.IndexHealth;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.clocks.ClockReading;
import dev.tidemark.worker.clocks.CommitBound;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.clocks.WriterClockEstimator;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

class LagMeterTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final long FIRST_READING = 1;

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final ChangeLog log = new ChangeLog(Tables.films());
    private final LagMeter meter = fixture.lag();

    @Test
    void countsWhatIsPublishedAndNotApplied() {
        OpenShard shard = following();
        sample(7);
        assertThat(meter.of(shard).recordsBehind()).hasValue(5);
        sample(2);
        assertThat(meter.of(shard).recordsBehind()).hasValue(0);
    }

    @Test
    void withdrawsACountThatGrowsOld() {
        OpenShard shard = following();
        sample(2);
        fixture.clock().advance(Duration.ofSeconds(3));
        assertThat(meter.of(shard).recordsBehind()).hasValue(0);
        fixture.clock().advance(Duration.ofMillis(1));
        assertThat(meter.of(shard).recordsBehind()).isEmpty();
        assertThat(LagMeter.recordsBehind(meter.of(Tables.films()))).isEmpty();
    }

    @Test
    void forgetsWhatItCountedOfAShardThatWasLetGo() {
        following();
        sample(7);
        fixture.clock().advance(Duration.ofSeconds(2));
        sample(7);
        assertThat(meter.rates(Tables.films())).isPresent();
        fixture.shards().revoke(ID);
        fixture.run();
        sample(7);

        assertThat(meter.of(fixture.open(ID)).recordsBehind()).isEmpty();
        assertThat(meter.rates(Tables.films())).isEmpty();
    }

    @Test
    void aShardThatFollowsHadEverythingWhenNothingWasBehind() {
        OpenShard shard = following();
        Instant opened = fixture.clock().instant();
        fixture.clock().advance(Duration.ofMinutes(1));

        sample(7);
        assertThat(lastCaughtUp(shard)).isEqualTo(opened);
        sample(2);
        assertThat(lastCaughtUp(shard)).isEqualTo(fixture.clock().instant());
    }

    @Test
    void aShardThatRestoresHadNotEverythingAlthoughItsTopicHasBecomeShorter() {
        fixture.end(ID, 9);
        OpenShard shard = following();
        Instant opened = fixture.clock().instant();
        fixture.clock().advance(Duration.ofMinutes(1));

        sample(2);

        assertThat(lastCaughtUp(shard)).isEqualTo(opened);
    }

    @Test
    void anIndexIsCompleteUpToNoTimeThatOneOfItsShardsDoesNotKnow() {
        TableDefinition people = Tables.people();
        OpenShard early = fixture.open(new ShardId("people", 0));
        OpenShard late = fixture.open(new ShardId("people", 1));
        fixture.deliver(early, begin(early), new ChangeLog(people).heartbeat(95).take());
        assertThat(LagMeter.completeUpTo(meter.of(people))).isEmpty();

        fixture.deliver(late, begin(late), new ChangeLog(people).heartbeat(90).take());
        assertThat(LagMeter.completeUpTo(meter.of(people))).contains(ChangeLog.at(90));
    }

    @Test
    void ofATableTellsTheSumsAndTheOldest() {
        TableDefinition people = Tables.people();
        fixture.openAll("people", people.partitions());
        Instant noted = fixture.clock().instant();
        long[] ends = {103, 23, 3, 10};
        for (OpenShard shard : fixture.shards().of(people)) {
            ChangeLog records = new ChangeLog(people);
            long reading = begin(shard);
            int partition = shard.id().partition();
            fixture.deliver(shard, reading, records.heartbeat(90 + partition).take());
            meter.sampled(shard, 1, noted);
            fixture.deliver(shard, reading, records.garbage("1").garbage("2").take());
            meter.sampled(shard, ends[partition], noted.plusSeconds(2));
        }
        fixture.clock().advance(Duration.ofSeconds(2));

        assertThat(LagMeter.recordsBehind(meter.of(people))).hasValue(127);
        assertThat(LagMeter.quarantined(meter.of(people))).isEqualTo(8);
        assertThat(LagMeter.oldestUnapplied(meter.of(people))).contains(Duration.ofSeconds(12));
        assertThat(meter.rates(people)).contains(new ApplyRate.Rates(67.5, 4, 0));
    }

    @Test
    void whatWaitsIsDrainedAtTheRateAtWhichRecordsAreApplied() {
        OpenShard shard = fixture.open(ID);
        long reading = begin(shard);
        for (int row = 0; row < 102; row++) {
            log.put(99, "{\"id\":" + row + "}");
        }
        sample(2);
        assertThat(meter.drain(shard)).as("the rate is not known").isEmpty();
        fixture.clock().advance(Duration.ofSeconds(2));
        sample(102);
        assertThat(meter.drain(shard)).as("nothing is applied").isEmpty();

        fixture.deliver(shard, reading, log.take(10));
        fixture.clock().advance(Duration.ofSeconds(2));
        sample(102);
        assertThat(meter.drain(shard)).as("92 at 2.5 a second").contains(Duration.ofMillis(36_800));

        fixture.deliver(shard, reading, log.take());
        sample(102);
        assertThat(meter.drain(shard)).as("nothing waits").isEmpty();
    }

    @Test
    void aShardThatIsBuiltAgainHasAllToApplyWhileWhatItWasAnswers() {
        for (int row = 0; row < 98; row++) {
            log.put(99, "{\"id\":" + row + "}");
        }
        OpenShard shard = following();
        fixture.end(ID, 100);
        shard.cannotGoOn("the offset to go on from is no longer in the log", FIRST_READING);
        fixture.run();
        long reading = begin(shard);
        sample(100);
        log.rewind(0);
        fixture.deliver(shard, reading, log.take(50));
        fixture.clock().advance(Duration.ofSeconds(2));
        sample(100);

        assertThat(shard.isAnsweredByPredecessor()).isTrue();
        assertThat(meter.of(shard).recordsBehind()).hasValue(50);
        assertThat(meter.drain(shard)).as("50 at 25 a second").contains(Duration.ofSeconds(2));
        assertThat(meter.catchUp(shard)).isEqualTo(new CatchUpEstimate.In(Duration.ofSeconds(2)));
        shard.unread(null);
        assertThat(meter.state(Tables.films())).isEqualTo(IndexHealth.RESTORING);
    }

    @Test
    void freshnessGrowsWithoutAnybodySampling() {
        following();
        fixture.clock().advance(Duration.ofMinutes(3));
        assertThat(LagMeter.freshness(meter.of(Tables.films()))).contains(Duration.ofMinutes(3));
    }

    @Test
    void countsTheTimeInWhichTheMachineWasSuspended() {
        OpenShard shard = following();
        ManualClock wall = new ManualClock(fixture.clock().instant());
        LagMeter suspended = new LagMeter(fixture.shards(), new SteadyClock(wall, () -> 0), WriterClock.SAME);
        suspended.sampled(shard, 2, wall.instant());
        assertThat(suspended.state(Tables.films())).isEqualTo(IndexHealth.STEADY);

        // The wall clock shows the pause; the timer has stood still.
        wall.advance(Duration.ofMinutes(10));

        assertThat(suspended.of(shard).freshness()).contains(Duration.ofMinutes(10));
        assertThat(suspended.of(shard).recordsBehind()).isEmpty();
        assertThat(suspended.state(Tables.films())).isNotEqualTo(IndexHealth.STEADY);
    }

    @Test
    void measuresOnTheWritersClock() {
        OpenShard shard = following();
        WriterClockEstimator estimate = new WriterClockEstimator(fixture.clock().instant());
        LagMeter elsewhere = new LagMeter(fixture.shards(), fixture.clock(), estimate);

        assertThat(elsewhere.of(shard).freshness()).isEmpty();
        assertThat(elsewhere.of(shard).completeUpTo()).isEqualTo(meter.of(shard).completeUpTo());
        assertThat(elsewhere.state(Tables.films())).isEqualTo(IndexHealth.UNKNOWN);

        Instant now = fixture.clock().instant();
        assertThat(elsewhere.clockSkew()).isEmpty();
        estimate.answered(new ClockReading(now, now, now.plus(Duration.ofHours(1)), "a", Optional.empty()));

        assertThat(elsewhere.clockSkew()).contains(Duration.ofHours(1));
        assertThat(elsewhere.of(shard).freshness())
                .isEqualTo(meter.of(shard).freshness().map(age -> age.plusHours(1)));
    }

    @Test
    void knowsNothingOfAgesOnceTheWritersClockWasSetBackBehindAWatermark() {
        OpenShard shard = following();
        WriterClockEstimator estimate = new WriterClockEstimator(fixture.clock().instant());
        LagMeter elsewhere = new LagMeter(fixture.shards(), fixture.clock(), estimate);
        Instant now = fixture.clock().instant();
        estimate.answered(new ClockReading(now, now, now.minus(Duration.ofHours(1)), "a", Optional.empty()));

        fixture.clock().advance(Duration.ofSeconds(3));
        assertThat(elsewhere.of(shard).freshness()).isEmpty();

        Instant later = fixture.clock().instant();
        estimate.answered(new ClockReading(later, later, later, "b", given(later, 1)));
        assertThat(elsewhere.of(shard).freshness()).isPresent();
    }

    @Test
    void knowsNothingOfAgesWhereTheWatermarkIsOfAnEarlierEpoch() {
        OpenShard shard = following();
        WriterClockEstimator estimate = new WriterClockEstimator(fixture.clock().instant());
        LagMeter elsewhere = new LagMeter(fixture.shards(), fixture.clock(), estimate);
        Instant now = fixture.clock().instant();

        estimate.answered(new ClockReading(now, now, now, "a", given(now, 1)));
        assertThat(elsewhere.of(shard).freshness()).isPresent();

        estimate.answered(new ClockReading(now, now, now, "b", given(now, 2)));
        assertThat(elsewhere.of(shard).freshness()).isEmpty();
    }

    private static Optional<CommitBound> given(Instant until, long epoch) {
        return Optional.of(new CommitBound(until, new RowVersion(epoch, 7)));
    }

    @Test
    void saysNothingWithoutShards() {
        assertThat(LagMeter.freshness(meter.of(Tables.films()))).isEmpty();
        assertThat(LagMeter.recordsBehind(meter.of(Tables.films()))).isEmpty();
        assertThat(LagMeter.oldestUnapplied(meter.of(Tables.films()))).isEmpty();
    }

    @Test
    void keepsQuietWhenTheBrokersDo() {
        OpenShard shard = following();
        LagSampler sampler = new LagSampler(
                meter,
                shards -> {
                    throw new IllegalStateException("away");
                },
                fixture.clock());
        sampler.run();
        assertThat(meter.of(shard).recordsBehind()).isEmpty();
    }

    private OpenShard following() {
        OpenShard shard = fixture.open(ID);
        fixture.deliver(
                shard, begin(shard), log.put(99, "{\"id\":1}").heartbeat(100).take());
        return shard;
    }

    private static long begin(OpenShard shard) {
        return Objects.requireNonNull(shard.takeStart()).reading();
    }

    private Instant lastCaughtUp(OpenShard shard) {
        List<Instant> times = new ArrayList<>();
        shard.ask(applier -> times.add(applier.lastCaughtUp()));
        fixture.run();
        return times.get(0);
    }

    private void sample(long end) {
        new LagSampler(meter, shards -> new EndOffsets.Ends(Map.of(ID, end), Map.of()), fixture.clock()).run();
    }
}
