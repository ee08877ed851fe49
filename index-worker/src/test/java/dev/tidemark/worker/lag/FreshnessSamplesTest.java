package dev.tidemark.worker.lag;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;

import org.junit.jupiter.api.Test;

import dev.tidemark.runtime.PeriodicAgent;
import dev.tidemark.worker.lag.FreshnessHistory.Point;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static org.assertj.core.api.Assertions.assertThat;

class FreshnessSamplesTest {
    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final FreshnessHistory history = new FreshnessHistory();
    private final PeriodicAgent agent = new PeriodicAgent(
            "history",
            Duration.ZERO,
            FreshnessHistory.SAMPLE_EVERY,
            List.of(() -> history.sample(
                    fixture.definitions(), fixture.lag(), fixture.clock().instant())),
            fixture.clock());

    @Test
    void samplesEveryIndexTwiceASecond() {
        OpenShard shard = fixture.open(new ShardId("films", 0));
        long reading = Objects.requireNonNull(shard.takeStart()).reading();
        fixture.deliver(
                shard, reading, new ChangeLog(Tables.films()).heartbeat(98).take());

        assertThat(agent.doWork()).isEqualTo(1);
        fixture.clock().advance(Duration.ofMillis(499));
        assertThat(agent.doWork()).isZero();
        fixture.clock().advance(Duration.ofMillis(1));
        assertThat(agent.doWork()).isEqualTo(1);
        fixture.clock().advance(Duration.ofMillis(4_500));
        assertThat(agent.doWork()).isEqualTo(1);

        assertThat(history.of("films.by_actor"))
                .containsExactly(new Point(ChangeLog.at(105), Optional.of(Duration.ofMillis(2_500))));
        assertThat(history.of("people.by_town")).containsExactly(new Point(ChangeLog.at(105), Optional.empty()));
        assertThat(agent.roleName()).isEqualTo("history");
    }

    @Test
    void forgetsIndexesThatAreGone() {
        history.sample("films.before", Optional.of(Duration.ZERO), ChangeLog.at(90));
        history.sample("films.before", Optional.of(Duration.ZERO), ChangeLog.at(96));
        assertThat(history.of("films.before")).hasSize(1);
        agent.doWork();
        assertThat(history.of("films.before")).isEmpty();
    }
}
