package dev.tidemark.worker.backfill;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.lag.LagSampler;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

/** Builds of a table with several partitions, some of which cannot be read. */
class BackfillAgentTest {
    private static final int PARTITIONS = 4;
    private static final ShardId BAD = new ShardId("people", 1);
    private static final String WITH_ANOTHER = """
        tables:
          films:
            primaryKey: id
            partitions: 1
            indexes:
              by_year:  { key: [{field: year, order: desc}, title], projection: keys_only }
          people:
            primaryKey: id
            partitions: 4
            indexes:
              by_town: { key: [town, name], projection: keys_only }
              by_age:  { key: [age], projection: all }
        """;

    private final WorkerFixture fixture = new WorkerFixture(Tables.catalog());
    private final Map<ShardId, ChangeLog> logs = new TreeMap<>();
    private final Map<ShardId, Long> readings = new TreeMap<>();
    private final PartitionedSource source = new PartitionedSource();
    private final MemoryBudget.Part memory = new MemoryBudget(8 << 20).part("builds", 1);
    private final List<BackfillSource> opened = new ArrayList<>();
    private final Throttle throttle =
            new Throttle(0, Duration.ofSeconds(1), fixture.clock().instant());
    private final BackfillAgent copier = new BackfillAgent(
            () -> {
                opened.add(source);
                return source;
            },
            fixture.lag(),
            memory,
            throttle,
            new BuildMeter(fixture.shards(), fixture.clock()),
            fixture.clock());

    @BeforeEach
    void fillTheShards() {
        for (int partition = 0; partition < PARTITIONS; partition++) {
            logs.put(new ShardId("people", partition), new ChangeLog(Tables.people()));
        }
        for (int id = 1; id <= 40; id++) {
            put(id, "N");
        }
        logs.forEach((id, log) -> {
            OpenShard shard = fixture.open(id);
            long reading = Objects.requireNonNull(shard.takeStart()).reading();
            readings.put(id, reading);
            fixture.deliver(shard, reading, log.take());
        });
    }

    private ChangeLog logOf(int id) {
        ChangeLog any = Objects.requireNonNull(logs.get(BAD));
        ShardId owner = new ShardId("people", Tables.people().partitionOf(any.key(Integer.toString(id))));
        return Objects.requireNonNull(logs.get(owner));
    }

    private void put(int id, String name) {
        logOf(id).put(id, "{\"id\":" + id + ",\"name\":\"" + name + "\",\"town\":\"T\",\"age\":" + id + "}");
    }

    /** A record of a row that another program than a writer wrote. */
    private void putForeign(int id, String age) {
        ChangeLog log = logOf(id);
        WireRecord own = new ChangeCodec("people").encode(log.upserted(100L + id, "{\"id\":" + id + "}"));
        byte[] value = ("{\"op\":\"u\",\"after\":{\"id\":" + id + ",\"age\":" + age + "}}").getBytes(UTF_8);
        log.add(new WireRecord(own.key(), KeyBytes.wrap(value), own.headers()));
    }

    private void deliverAll() {
        logs.forEach((id, log) -> {
            OpenShard shard = fixture.shards().find(id).orElseThrow();
            fixture.deliver(shard, readings.getOrDefault(id, 0L), log.take());
        });
    }

    private void addAnIndex() {
        fixture.define(fixture.definitions().changed(Tables.catalog(WITH_ANOTHER), ChangeLog.START));
        fixture.run();
    }

    @Test
    void aPartitionWhoseBeginningIsGoneEndsItsBuildAndStarvesNoOther() {
        source.gone.add(BAD);
        addAnIndex();

        run();

        assertThat(phase(BAD))
                .isInstanceOfSatisfying(
                        GenerationState.Degraded.class,
                        degraded -> assertThat(degraded.cause()).contains("the beginning is gone"));
        assertThat(others())
                .hasSize(3)
                .allSatisfy(id -> assertThat(phase(id))
                        .isInstanceOfAny(GenerationState.Verifying.class, GenerationState.Ready.class));
        assertThat(opened).hasSize(1);
    }

    @Test
    void aPartitionThatCannotBeReadForAWhileIsBuiltLaterAndStarvesNoOther() {
        source.failed.add(BAD);
        addAnIndex();

        run();

        assertThat(phase(BAD)).isInstanceOf(GenerationState.Building.class);
        assertThat(others())
                .allSatisfy(id -> assertThat(phase(id))
                        .isInstanceOfAny(GenerationState.Verifying.class, GenerationState.Ready.class));
        assertThat(source.failures).as("not tried all the time").isLessThan(5);

        source.failed.clear();
        fixture.clock().advance(Duration.ofSeconds(31));
        run();

        assertThat(phase(BAD)).isInstanceOfAny(GenerationState.Verifying.class, GenerationState.Ready.class);
        assertThat(opened).hasSize(1);
    }

    @Test
    void aRecordThatCannotBeReadIsPassedOverAndStarvesNoOther() {
        putForeign(7, "1e99999999999");
        putForeign(8, "9".repeat(1_000_000));
        deliverAll();
        addAnIndex();

        run();

        assertThat(logs.keySet())
                .allSatisfy(id -> assertThat(phase(id))
                        .isInstanceOfAny(GenerationState.Verifying.class, GenerationState.Ready.class));
        assertThat(opened).hasSize(1);
    }

    @Test
    void aBuildOfLargeRowsHoldsNoMoreThanItsMemoryAndEnds() {
        String large = "x".repeat(1 << 20);
        for (int id = 41; id <= 80; id++) {
            put(id, large);
        }
        deliverAll();
        addAnIndex();
        long most = 0;
        for (int step = 0; step < 400; step++) {
            copier.doWork();
            most = Math.max(most, memory.reserved());
            if (step % 3 == 0) {
                fixture.run();
            }
            fixture.clock().advance(Duration.ofMillis(100));
        }

        // A record of each shard may come on top, and what is made of it.
        assertThat(most).isBetween(1L << 20, memory.limit() + PARTITIONS * 2 * (2L << 20));
        assertThat(logs.keySet())
                .allSatisfy(id -> assertThat(phase(id))
                        .isInstanceOfAny(GenerationState.Verifying.class, GenerationState.Ready.class));
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void aPartitionWithoutAKnownEndStarvesNoOther() {
        source.endless.add(BAD);
        addAnIndex();

        run();

        assertThat(others())
                .allSatisfy(id -> assertThat(phase(id))
                        .isInstanceOfAny(GenerationState.Verifying.class, GenerationState.Ready.class));
        assertThat(opened).hasSize(1);
    }

    @Test
    void aShardThatLacksRowsAndCannotBeOpenedIsNotGivenMoreAndMoreTasks() {
        source.endless.add(BAD);
        addAnIndex();
        run();
        assertThat(phase(BAD)).isInstanceOf(GenerationState.Building.class);
        OpenShard shard = fixture.shards().find(BAD).orElseThrow();
        fixture.brokersAway(true);
        shard.ask(applier -> {
            throw new IllegalStateException("the disk fails");
        });
        fixture.run();
        source.endless.clear();
        for (int second = 0; second < 100; second++) {
            copier.doWork();
            fixture.run();
            fixture.clock().advance(Duration.ofSeconds(1));
        }
        assertThat(shard.failure()).isPresent();
        assertThat(shard.tasksWaiting()).isBetween(1, 3);

        fixture.brokersAway(false);
        fixture.clock().advance(Duration.ofMinutes(10));
        run();
        assertThat(phase(BAD)).isInstanceOfAny(GenerationState.Verifying.class, GenerationState.Ready.class);
    }

    @Test
    void aTableThatIsPausedDoesNotSlowTheBuildsOfOthers() {
        ShardId films = openFilms();
        Optional<TableDefinition> table = fixture.definitions().catalog().table("films");
        fixture.pause(table.orElseThrow());
        assertThat(rateAfter(films, 1)).isGreaterThan(Throttle.LEAST);

        fixture.resume(table.orElseThrow());
        assertThat(rateAfter(films, 1)).as("it is late, and records wait").isEqualTo(Throttle.LEAST);
    }

    @Test
    void aTableWhoseSourceHasStoppedDoesNotSlowTheBuildsOfOthers() {
        ShardId films = openFilms();
        assertThat(rateAfter(films, 0)).isGreaterThan(Throttle.LEAST);
        assertThat(rateAfter(films, 1)).as("records wait").isEqualTo(Throttle.LEAST);
    }

    @Test
    void aShardThatCannotBeReadDoesNotSlowTheBuildsOfOthers() {
        ShardId films = openFilms();
        fixture.shards().find(films).orElseThrow().unread("the brokers do not answer");
        assertThat(rateAfter(films, 1)).isGreaterThan(Throttle.LEAST);
    }

    /** Opens the table of films with everything that was there a minute ago. */
    private ShardId openFilms() {
        ShardId id = new ShardId("films", 0);
        OpenShard shard = fixture.open(id);
        ChangeLog log = new ChangeLog(Tables.films()).heartbeat(100);
        fixture.deliver(shard, Objects.requireNonNull(shard.takeStart()).reading(), log.take());
        fixture.clock().advance(Duration.ofMinutes(1));
        return id;
    }

    /** How fast rows may be copied, once records have waited in a shard for a while. */
    private double rateAfter(ShardId late, long behind) {
        source.failed.add(BAD);
        addAnIndex();
        LagSampler sampling = new LagSampler(
                fixture.lag(), any -> new EndOffsets.Ends(Map.of(late, 1 + behind), Map.of()), fixture.clock());
        for (int step = 0; step < 40; step++) {
            stayFresh();
            sampling.run();
            copier.doWork();
            fixture.clock().advance(Duration.ofMillis(100));
        }
        return throttle.rate();
    }

    /** The shards of people have everything up to this second. */
    private void stayFresh() {
        long second =
                Duration.between(ChangeLog.START, fixture.clock().instant()).toSeconds();
        logs.forEach((id, log) -> fixture.deliver(
                fixture.shards().find(id).orElseThrow(),
                readings.getOrDefault(id, 0L),
                log.heartbeat(second + 1).take()));
    }

    @Test
    void rowsThatAreReadAndNotPassedOnYetAreNotPaidFor() {
        String tags = IntStream.range(0, 200).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String text = "x".repeat(4_000);
        long number = 100;
        for (int id = 41; id <= 540; id++) {
            logOf(id)
                    .put(
                            number++,
                            "{\"id\":" + id + ",\"name\":\"" + text + "\",\"town\":\"T\",\"age\":1,\"tags\":[" + tags
                                    + "]}");
        }
        logs.forEach((id, log) ->
                fixture.deliver(fixture.shards().find(id).orElseThrow(), readings.getOrDefault(id, 0L), log.take()));
        String each = WITH_ANOTHER.replace("[age]", "[{field: tags, each: true}]");
        fixture.define(fixture.definitions().changed(Tables.catalog(each), ChangeLog.START));
        fixture.run();
        Throttle slow = new Throttle(100, Duration.ofSeconds(1), fixture.clock().instant());
        BackfillAgent paid = new BackfillAgent(
                () -> source,
                fixture.lag(),
                new MemoryBudget(256 << 20).part("builds", 1),
                slow,
                new BuildMeter(fixture.shards(), fixture.clock()),
                fixture.clock());
        Instant begun = fixture.clock().instant();
        for (int step = 0;
                step < 300 && logs.keySet().stream().anyMatch(id -> phase(id) instanceof GenerationState.Building);
                step++) {
            for (int part = 0; part < 20; part++) {
                paid.doWork();
                fixture.clock().advance(Duration.ofMillis(10));
            }
            fixture.run();
        }

        assertThat(Duration.between(begun, fixture.clock().instant()))
                .as("540 rows at 100 a second")
                .isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
    }

    private void run() {
        for (int step = 0; step < 80; step++) {
            copier.doWork();
            fixture.run();
            fixture.clock().advance(Duration.ofMillis(100));
        }
    }

    private List<ShardId> others() {
        return logs.keySet().stream().filter(id -> !id.equals(BAD)).toList();
    }

    private GenerationState phase(ShardId id) {
        long newest = fixture.definitions()
                .index("people", "by_age")
                .orElseThrow()
                .current()
                .id();
        return fixture.shards()
                .find(id)
                .flatMap(OpenShard::status)
                .flatMap(status -> status.checkpoint().generation(newest))
                .map(GenerationStatus::phase)
                .orElseThrow();
    }

    /** Gives a few records of each partition at a time, except of those that are gone or fail. */
    private final class PartitionedSource implements BackfillSource {
        private final Set<ShardId> gone = new HashSet<>();
        private final Set<ShardId> failed = new HashSet<>();
        private final Set<ShardId> endless = new HashSet<>();
        private final Map<ShardId, Long> positions = new TreeMap<>();
        private final Set<ShardId> resting = new HashSet<>();
        private int failures;
        private long given;

        @Override
        public void read(Map<ShardId, Long> from) {
            positions.clear();
            positions.putAll(from);
        }

        @Override
        public void rest(Collection<ShardId> shards) {
            resting.clear();
            resting.addAll(shards);
        }

        @Override
        public PolledBatches poll(Duration patience, long bytes) {
            Map<ShardId, ChangeBatch> batches = new TreeMap<>();
            Map<ShardId, String> goneNow = new HashMap<>();
            Map<ShardId, String> failedNow = new HashMap<>();
            given = 0;
            positions.forEach((id, from) -> {
                ChangeLog log = Objects.requireNonNull(logs.get(id));
                if (resting.contains(id) || from >= log.end()) {
                    return;
                }
                if (gone.contains(id)) {
                    goneNow.put(id, "the beginning is gone");
                } else if (failed.contains(id)) {
                    failedNow.put(id, "a damaged batch");
                    failures++;
                } else if (endless.contains(id)) {
                    // Its rows are not there, which makes the agent ask where the partition ends.
                    batches.put(id, new ChangeBatch(List.of(), log.end(), OptionalInt.empty()));
                } else {
                    ChangeBatch one = log.read(from, 1);
                    // At least one record a poll, as a real client gives.
                    if (batches.isEmpty() || given + one.heldBytes() <= bytes) {
                        batches.put(id, one);
                        given += one.heldBytes();
                    }
                }
            });
            batches.forEach((id, batch) -> positions.put(id, batch.nextOffset()));
            return new PolledBatches(batches, goneNow, failedNow);
        }

        @Override
        public long startOffset(ShardId shard) {
            return 0;
        }

        @Override
        public long endOffset(ShardId shard) {
            if (endless.contains(shard)) {
                throw new IllegalStateException("no leader");
            }
            return Objects.requireNonNull(logs.get(shard)).end();
        }

        @Override
        public void close() {
            positions.clear();
        }
    }
}
