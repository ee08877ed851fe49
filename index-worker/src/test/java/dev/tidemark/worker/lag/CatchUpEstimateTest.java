package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

/** A shard that applies so many records between two samples, while so many come. */
class CatchUpEstimateTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final TableDefinition FILMS = Tables.films();
    private static final Duration STEP = Duration.ofMillis(500);

    private long published;
    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final ChangeLog log = new ChangeLog(FILMS);
    private final LagMeter meter = fixture.lag();
    private final OpenShard shard = fixture.open(ID);
    private final long reading = Objects.requireNonNull(shard.takeStart()).reading();
    private final LagSampler agent =
            new LagSampler(meter, shards -> new EndOffsets.Ends(Map.of(ID, published), Map.of()), fixture.clock());

    @Test
    void shrinksToNothingWhileTheShardGains() {
        follow();
        published += 1_500;
        run(2, 10, 60);
        assertThat(meter.catchUp(FILMS).time())
                .as("while the burst is what has come lately")
                .isEmpty();
        run(12, 10, 60);
        double eta = eta();
        assertThat(eta).isCloseTo(meter.of(shard).recordsBehind().orElse(0) / 100.0, within(0.1));
        for (int i = 0; i < 6; i++) {
            run(1, 10, 60);
            assertThat(eta()).isLessThan(eta);
            eta = eta();
        }
        run(20, 10, 60);
        assertThat(meter.of(shard).recordsBehind()).hasValue(0);
        heartbeat();
        assertThat(meter.catchUp(FILMS)).isEqualTo(new CatchUpEstimate.NotNeeded());
    }

    @Test
    void isNotToldWhileNothingIsLate() {
        follow();
        for (int i = 0; i < 10; i++) {
            run(1, 4, 4);
            heartbeat();
            assertThat(meter.catchUp(FILMS)).isEqualTo(new CatchUpEstimate.NotNeeded());
        }
        assertThat(meter.rates(FILMS).map(ApplyRate.Rates::arrival).orElse(0.0)).isCloseTo(10.0, within(0.3));
        assertThat(meter.rates(FILMS).map(ApplyRate.Rates::applied).orElse(0.0)).isCloseTo(10.0, within(0.3));
    }

    @Test
    void isNeverWhileMoreComesThanIsApplied() {
        follow();
        published += 100;
        run(8, 20, 20);
        assertThat(meter.catchUp(FILMS)).isEqualTo(new CatchUpEstimate.Never());
        run(8, 20, 5);
        assertThat(meter.catchUp(FILMS)).isEqualTo(new CatchUpEstimate.Never());
        assertThat(meter.catchUp(FILMS).time()).isEmpty();
    }

    @Test
    void isNeverWhileTheTableIsPaused() {
        follow();
        fixture.pause(FILMS);
        run(12, 20, 0);
        assertThat(meter.catchUp(FILMS)).isEqualTo(new CatchUpEstimate.Never());
        assertThat(meter.rates(FILMS).map(ApplyRate.Rates::applied)).contains(0.0);
    }

    @Test
    void saysNothingInTheFirstSeconds() {
        published += 1_000;
        fixture.clock().advance(Duration.ofSeconds(9));
        for (int i = 0; i < 4; i++) {
            run(1, 10, 60);
            assertThat(meter.rates(FILMS)).isEmpty();
            assertThat(meter.catchUp(FILMS)).isEqualTo(new CatchUpEstimate.NotKnown());
        }
        run(2, 10, 60);
        assertThat(meter.rates(FILMS)).isPresent();
    }

    @Test
    void saysNothingOnceNobodyTakesNote() {
        follow();
        published += 1_000;
        run(8, 10, 60);
        fixture.clock().advance(Duration.ofSeconds(4));
        assertThat(meter.rates(FILMS)).isEmpty();
        assertThat(meter.catchUp(FILMS).time()).isEmpty();
    }

    @Test
    void saysNothingOfATableOfWhichPartitionsAreElsewhere() {
        TableDefinition people = Tables.people();
        OpenShard part = fixture.open(new ShardId(people.name(), 2));
        for (int i = 0; i < 10; i++) {
            fixture.clock().advance(STEP);
            meter.sampled(part, 0, fixture.clock().instant());
        }

        assertThat(meter.rates(people)).isEmpty();
        assertThat(meter.catchUp(people)).isEqualTo(new CatchUpEstimate.NotKnown());
        for (int partition : new int[] {0, 1, 3}) {
            OpenShard other = fixture.open(new ShardId(people.name(), partition));
            for (int i = 0; i < 10; i++) {
                fixture.clock().advance(STEP);
                meter.sampled(other, 0, fixture.clock().instant());
                meter.sampled(part, 0, fixture.clock().instant());
            }
        }
        assertThat(meter.catchUp(people)).isNotEqualTo(new CatchUpEstimate.NotKnown());
    }

    @Test
    void theSlowestShardDecides() {
        CatchUpEstimate soon = new CatchUpEstimate.In(Duration.ofSeconds(3));
        CatchUpEstimate later = new CatchUpEstimate.In(Duration.ofSeconds(30));
        assertThat(CatchUpEstimate.of(List.of(soon, new CatchUpEstimate.NotNeeded(), later)))
                .isEqualTo(later);
        assertThat(CatchUpEstimate.of(List.of(soon, new CatchUpEstimate.NotKnown())))
                .isEqualTo(new CatchUpEstimate.NotKnown());
        assertThat(CatchUpEstimate.of(List.of(soon, new CatchUpEstimate.NotKnown(), new CatchUpEstimate.Never())))
                .isEqualTo(new CatchUpEstimate.Never());
        assertThat(CatchUpEstimate.of(List.of())).isEqualTo(new CatchUpEstimate.NotNeeded());
    }

    @Test
    void anEstimateOfYearsIsNever() {
        assertThat(CatchUpEstimate.of(1_000_000_000, new ApplyRate.Rates(10, 10.1, 0)))
                .isEqualTo(new CatchUpEstimate.Never());
        assertThat(CatchUpEstimate.of(CatchUpEstimate.FARTHEST.toSeconds(), new ApplyRate.Rates(0, 1, 0)))
                .isEqualTo(new CatchUpEstimate.Never());
        assertThat(CatchUpEstimate.of(CatchUpEstimate.FARTHEST.toSeconds() - 1, new ApplyRate.Rates(0, 1, 0)))
                .isEqualTo(new CatchUpEstimate.In(CatchUpEstimate.FARTHEST.minusSeconds(1)));
        assertThat(CatchUpEstimate.of(500, new ApplyRate.Rates(10, 60, 0)).time())
                .isEqualTo(Optional.of(Duration.ofSeconds(10)));
    }

    @Test
    void beginsAnewWhenTheLogOrTheShardDoes() {
        ApplyRate pace = new ApplyRate();
        pace.add(ChangeLog.at(1), 1_000, 900);
        pace.add(ChangeLog.at(3), 1_020, 940);
        assertThat(pace.rates(ChangeLog.at(3))).contains(new ApplyRate.Rates(10, 20, 0));
        pace.add(ChangeLog.at(5), 1_040, 0);
        assertThat(pace.rates(ChangeLog.at(5))).isEmpty();
        pace.add(ChangeLog.at(7), 1_060, 400);
        assertThat(pace.rates(ChangeLog.at(7))).contains(new ApplyRate.Rates(10, 200, 0));
        pace.add(ChangeLog.at(9), 3, 400);
        assertThat(pace.rates(ChangeLog.at(9))).isEmpty();
    }

    @Test
    void forgetsWhatWasMoreThanSomeSecondsAgo() {
        ApplyRate pace = new ApplyRate();
        for (int second = 0; second <= 20; second++) {
            pace.add(ChangeLog.at(second), second < 10 ? 0 : 100L * (second - 10), 0);
        }
        assertThat(pace.rates(ChangeLog.at(20))).contains(new ApplyRate.Rates(100, 0, 0));
    }

    @Test
    void tellsNothingOnceTheLastNoteIsMoreThanThreeSecondsOld() {
        ApplyRate pace = new ApplyRate();
        pace.add(ChangeLog.at(0), 0, 0);
        pace.add(ChangeLog.at(2), 20, 40);
        Instant last = ChangeLog.at(5);
        assertThat(pace.rates(last)).contains(new ApplyRate.Rates(10, 20, 0));
        assertThat(pace.rates(last.plusNanos(1))).isEmpty();
        pace.add(last, 50, 100);
        assertThat(pace.rates(last)).as("over just five seconds").contains(new ApplyRate.Rates(10, 20, 0));
    }

    @Test
    void queriesAreCountedOverTheSameSeconds() {
        ApplyRate pace = new ApplyRate();
        add(pace, 0, 700);
        add(pace, 2, 30);
        assertThat(pace.rates(ChangeLog.at(2))).contains(new ApplyRate.Rates(10, 5, 15));
        add(pace, 4, 0);
        assertThat(pace.rates(ChangeLog.at(4))).contains(new ApplyRate.Rates(10, 5, 7.5));
    }

    private static void add(ApplyRate pace, int second, int queries) {
        for (int query = 0; query < queries; query++) {
            pace.queried();
        }
        pace.add(ChangeLog.at(second), 10L * second, 5L * second);
    }

    /** Everything there is has been applied, and the writer is heard. */
    private void follow() {
        heartbeat();
        sample();
    }

    /** So many steps, in each of which so many records come and so many are applied, as long as there are some. */
    private void run(int steps, int arriving, int applying) {
        for (int i = 0; i < steps; i++) {
            fixture.clock().advance(STEP);
            published += arriving;
            long next = shard.status().orElseThrow().checkpoint().nextOffset();
            int todo = (int) Math.min(applying, published - next);
            for (int done = 0; done < todo; done++) {
                log.put(99, "{\"id\":" + done + "}");
            }
            fixture.deliver(shard, reading, log.take());
            sample();
        }
    }

    private void heartbeat() {
        fixture.deliver(shard, reading, log.heartbeat(second()).take());
        published = Math.max(published, log.end());
    }

    private long second() {
        return Duration.between(ChangeLog.START, fixture.clock().instant()).toSeconds();
    }

    private void sample() {
        agent.run();
    }

    private double eta() {
        return meter.catchUp(FILMS).time().orElseThrow().toMillis() / 1e3;
    }
}
