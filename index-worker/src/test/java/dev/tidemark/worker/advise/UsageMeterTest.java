package dev.tidemark.worker.advise;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class UsageMeterTest {
    private static final String ALIEN = "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Weaver\",\"Hurt\"]}";
    private static final ShardId ID = new ShardId("films", 0);

    private final UsageMeter meter = new UsageMeter();
    private final SettableClock clock = new SettableClock(ChangeLog.at(100));
    private final DesiredTable plan = Tables.plan(Tables.films());
    private final ChangeLog log = new ChangeLog(Tables.films());
    private ShardApplier applier = applier(0);

    @Test
    void neitherAnInsertNorADeleteIsAnUpdate() {
        apply(log.put(1, ALIEN));
        apply(log.delete(2, "1"));
        apply(log.put(3, ALIEN));

        assertThat(of("by_actor")).isEqualTo(updates(0, 0));
        assertThat(of("by_actor").movedShare()).isZero();
    }

    @Test
    void anUpdateMovesTheEntriesWhoseKeysItChangesAndNoOthers() {
        apply(log.put(1, ALIEN));
        apply(log.put(2, ALIEN.replace("Hurt", "Holm")));
        apply(log.put(3, ALIEN.replace("Hurt", "Holm").replace("1979", "1980")));

        assertThat(of("by_actor")).isEqualTo(updates(2, 1));
        assertThat(of("by_actor").movedShare()).isEqualTo(0.5);
        assertThat(of("by_year")).isEqualTo(updates(2, 1));
        assertThat(of("whole")).isEqualTo(updates(2, 0));
    }

    @Test
    void whatWasCountedOfAGenerationThatIsGoneIsForgotten() {
        apply(log.put(1, ALIEN));
        apply(log.put(2, ALIEN.replace("Hurt", "Holm")));
        meter.answered(7, false);
        Advisor.Meters meters = new Advisor.Meters(meter, new CostMeter());
        assertThat(meter.of(7, Duration.ZERO).queries()).isEqualTo(1);

        meters.retain(Tables.inForce(Tables.catalog()).get(), List.of(ID));
        assertThat(of("by_actor")).isEqualTo(updates(1, 1));
        assertThat(meter.of(7, Duration.ZERO).queries()).isZero();

        meters.retain(new Definitions(9, Instant.EPOCH, List.of(), 99), List.of(ID));
        assertThat(of("by_actor")).isEqualTo(updates(0, 0));
    }

    @Test
    void whatComesAgainCountsOnce() {
        apply(log.put(1, ALIEN));
        apply(log.put(2, ALIEN.replace("Hurt", "Holm")));
        apply(log.put(2, ALIEN.replace("Hurt", "Holm")));

        assertThat(of("by_actor")).isEqualTo(updates(1, 1));
    }

    @Test
    void whatWasLongAgoAndIsOnlyReadAgainDoesNotCount() {
        applier = applier(2);
        apply(log.put(1, ALIEN).put(2, ALIEN.replace("Hurt", "Holm")));

        assertThat(of("by_actor")).isEqualTo(updates(0, 0));
    }

    private ShardApplier applier(long end) {
        return ShardApplier.open(
                ID,
                plan,
                new InMemoryShardStores().open(ID, new ShardOrigin("topic", "text")),
                end,
                clock.instant(),
                clock,
                WriterClock.SAME,
                meter);
    }

    private void apply(ChangeLog records) {
        applier.apply(records.take(), clock.instant());
    }

    private Usage of(String index) {
        return meter.of(plan.index(index).orElseThrow().current().id(), Duration.ZERO);
    }

    private static Usage updates(long updates, long moved) {
        return new Usage(0, 0, updates, moved, Duration.ZERO);
    }
}
