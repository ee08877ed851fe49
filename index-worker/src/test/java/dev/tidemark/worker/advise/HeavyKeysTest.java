package dev.tidemark.worker.advise;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.FieldValue;
import dev.tidemark.worker.apply.KeyChanges;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

class HeavyKeysTest {
    private static final ShardId ID = new ShardId("films", 0);

    private final long seed = new Random().nextLong();
    private final Random random = new Random(seed);
    private final UsageMeter meter = new UsageMeter();
    private final SettableClock clock = new SettableClock(ChangeLog.at(1_000_000));
    private final DesiredTable plan = Tables.plan(Tables.films());
    private final ChangeLog log = new ChangeLog(Tables.films());
    private final ShardApplier applier = opened(ID, plan);

    @Test
    void aSketchOfSkewedKeysNeverSaysTooMuchAndMissesNoHeavyOne() {
        KeySketch sketch = new KeySketch();
        Map<KeyBytes, Long> exact = new HashMap<>();
        int changes = 16_000;
        for (int change = 0; change < changes; change++) {
            // Each key comes half as often as the one before it, or is one of many that hardly ever come again.
            boolean isRare = random.nextInt(3) == 0;
            KeyBytes key = key(isRare ? "rare " + random.nextInt(100_000) : "key " + geometric());
            exact.merge(key, 1L, Long::sum);
            sketch.add(List.of(key));
        }

        HeavyKeys known = sketch.known();
        assertThat(known.sampled()).isEqualTo(changes);
        known.times()
                .forEach((key, times) ->
                        assertThat(times).as("seed %d", seed).isBetween(0L, exact.getOrDefault(key, 0L)));
        exact.forEach((key, times) -> {
            if (times > changes / KeySketch.ROOM) {
                assertThat(known.times()).as("seed %d, %d times", seed, times).containsKey(key);
                assertThat(known.times().get(key))
                        .as("seed %d", seed)
                        .isGreaterThanOrEqualTo(times - changes / KeySketch.ROOM);
            }
        });
        assertThat(known.above(0.1, 5))
                .as("seed %d", seed)
                .extracting(HeavyKeys.Share::key)
                .contains(key("key 0"));
    }

    @Test
    void whatCameLongAgoFades() {
        KeySketch sketch = new KeySketch();
        for (int change = 0; change < 16_000; change++) {
            sketch.add(List.of(key("old")));
        }
        for (int change = 0; change < 60_000; change++) {
            sketch.add(List.of(key("new")));
        }
        assertThat(sketch.known().above(0.5, 1))
                .extracting(HeavyKeys.Share::key)
                .containsExactly(key("new"));
        assertThat(sketch.known().times().get(key("old"))).isLessThan(2_000);
        assertThat(sketch.known().sampled()).isLessThan(16_384);
    }

    @Test
    void theSharesOfKeysAreThoseOfTheChangesThatAShardApplied() {
        Map<String, Integer> exact = new HashMap<>();
        int changes = 20_000;
        for (int change = 1; change <= changes; change++) {
            String actor = random.nextInt(10) < 4 ? "Weaver" : "A" + random.nextInt(5_000);
            exact.merge(actor, 1, Integer::sum);
            log.put(change, film(change, actor));
            if (change % 7 == 0) {
                apply();
            }
        }
        apply();

        HeavyKeys keys = known("by_actor");
        assertThat((double) keys.sampled()).as("seed %d", seed).isCloseTo(changes / 16.0, within(changes / 80.0));
        assertThat(keys.above(0.1, 5)).as("seed %d", seed).hasSize(1);
        HeavyKeys.Share heaviest = keys.above(0.1, 5).get(0);
        assertThat(heaviest.values(plan.index("by_actor")
                        .orElseThrow()
                        .current()
                        .definition()
                        .key()))
                .containsExactly(new FieldValue.Text("Weaver"));
        assertThat(heaviest.share())
                .as("seed %d", seed)
                .isCloseTo((double) exact.getOrDefault("Weaver", 0) / changes, within(0.08));
        assertThat(known("whole").above(0.1, 5))
                .as("every title is another one")
                .isEmpty();
    }

    @Test
    void anUpdateCountsTheKeyThatItRemovesAndTheOneThatItPuts() {
        for (int change = 1; change <= 2_000; change++) {
            log.put(change, film(1, change % 2 == 0 ? "Weaver" : "Hurt"));
            apply();
        }
        assertThat(known("by_actor").above(0.4, 5)).hasSize(2);
        assertThat(known("by_actor").sampled()).isEqualTo(known("whole").sampled());
    }

    @Test
    void theChangesOfAGlobalIndexAreCountedByItsFirstKeyPart() {
        DesiredTable derived = Definitions.first(
                        Tables.catalog("tables: {people: {primaryKey: id, indexes: {by_town: {key: [{field: town,"
                                + " order: desc}, name], scope: global, partitions: 1}}}}"),
                        ChangeLog.START)
                .layout()
                .table("people.by_town.1")
                .orElseThrow();
        ShardId shard = new ShardId(derived.name(), 0);
        ChangeLog people = new ChangeLog(derived.definition());
        for (int change = 1; change <= 2_000; change++) {
            String town = change % 2 == 0 ? "Oslo" : "T" + change;
            people.put(change, "{\"id\":" + change + ",\"town\":\"" + town + "\",\"name\":\"N" + change + "\"}");
        }
        opened(shard, derived).apply(people.take(), clock.instant());

        assertThat(meter.of(1, Duration.ZERO).keys().above(0.1, 5))
                .singleElement()
                .satisfies(oslo -> assertThat(oslo.values(
                                derived.generations().get(0).definition().key()))
                        .containsExactly(new FieldValue.Text("Oslo")));
    }

    @Test
    void aLongKeyIsCutAndShowsTheValuesThatAreWhole() {
        String title = "x".repeat(500);
        for (int change = 1; change <= 1_000; change++) {
            log.put(change, "{\"id\":" + change + ",\"title\":\"" + title + "\",\"year\":1979}");
        }
        apply();

        HeavyKeys.Share byYear = known("by_year").above(0.9, 1).get(0);
        assertThat(byYear.key().length()).isEqualTo(KeyChanges.MOST_KEY_BYTES);
        assertThat(byYear.values(plan.index("by_year")
                        .orElseThrow()
                        .current()
                        .definition()
                        .key()))
                .containsExactly(FieldValue.Num.of(1979));
    }

    @Test
    void whatIsReadAgainAndWhatBelongsToShardsThatWereLetGoDoesNotCount() {
        for (int change = 1; change <= 1_000; change++) {
            log.put(change, film(change, "Weaver"));
        }
        apply();
        long sampled = known("by_actor").sampled();
        assertThat(sampled).isPositive();
        for (int change = 1; change <= 1_000; change++) {
            log.put(change, film(change, "Weaver"));
        }
        apply();
        assertThat(known("by_actor").sampled()).isEqualTo(sampled);

        Advisor.Meters meters = new Advisor.Meters(meter, new CostMeter());
        meters.retain(Tables.inForce(Tables.catalog()).get(), List.of(ID));
        assertThat(known("by_actor").sampled()).isEqualTo(sampled);
        meters.retain(Tables.inForce(Tables.catalog()).get(), List.of(new ShardId("films", 1)));
        assertThat(known("by_actor")).isEqualTo(HeavyKeys.NONE);
    }

    @Test
    void whatTwoShardsKnowIsAddedUpAndIsNeverTooMuch() {
        HeavyKeys here = new HeavyKeys(100, 16, Map.of(key("a"), 40L, key("b"), 30L, key("c"), 1L));
        HeavyKeys there = new HeavyKeys(300, 7, Map.of(key("a"), 60L));
        assertThat(here.plus(there))
                .isEqualTo(new HeavyKeys(400, 16, Map.of(key("a"), 100L, key("b"), 30L, key("c"), 1L)));
        assertThat(here.plus(there).above(0.1, 5)).containsExactly(new HeavyKeys.Share(key("a"), 0.25));
        assertThat(here.withoutLight().times()).containsOnlyKeys(key("a"), key("b"));
        assertThat(HeavyKeys.NONE.plus(HeavyKeys.NONE).above(0, 5)).isEmpty();
    }

    private ShardApplier opened(ShardId id, DesiredTable table) {
        return ShardApplier.open(
                id,
                table,
                new InMemoryShardStores().open(id, new ShardOrigin("topic", "text")),
                0,
                clock.instant(),
                clock,
                WriterClock.SAME,
                meter);
    }

    private int geometric() {
        int tries = 0;
        while (random.nextBoolean()) {
            tries++;
        }
        return tries;
    }

    private static String film(int id, String actor) {
        return "{\"id\":" + id + ",\"title\":\"T" + id + " of " + actor + "\",\"year\":1979,\"cast\":[\"" + actor
                + "\"]}";
    }

    private void apply() {
        applier.apply(log.take(), clock.instant());
    }

    private HeavyKeys known(String index) {
        return meter.of(plan.index(index).orElseThrow().current().id(), Duration.ZERO)
                .keys();
    }

    private static KeyBytes key(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
