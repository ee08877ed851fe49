package dev.tidemark.worker.apply;

import java.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.row.DerivationCounter;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.SilentListener;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** Applying a batch in one go leaves behind what applying its records one by one does. */
class RowFoldTest {
    private static final int ROUNDS = 100;

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5})
    void oneBatchEqualsManySmallOnes(long seed) {
        Random random = new Random(seed);
        for (int round = 0; round < ROUNDS; round++) {
            ChangeLog log = randomLog(random);
            assertThat(state(log, (int) log.end()))
                    .as("seed %d round %d", seed, round)
                    .isEqualTo(state(log, 1));
        }
    }

    @Test
    void aRowOfAnotherPartitionGoesIntoQuarantineInItsVersion() {
        ChangeLog people = new ChangeLog(Tables.people());
        ChangeEvent event = people.upserted(3, "{\"id\":7}");
        int elsewhere = (Tables.people().partitionOf(event.key()) + 1) % 4;
        RowPlanner planner = new RowPlanner(Tables.people(), elsewhere, Tables.generations(Tables.people()));
        LogRecord logged = people.add(event).take().records().get(0);

        RowFold.Result result = RowFold.fold(
                planner,
                event.key(),
                Optional.empty(),
                List.of(new DecodedRecord.Good(logged, event, RowVersion.NONE)));

        assertThat(result.counts()).isEqualTo(new ApplyCounts(0, 0, 1));
        assertThat(result.poison()).hasValueSatisfying(poison -> {
            assertThat(poison.source()).isEqualTo(logged);
            assertThat(poison.reason()).contains("belongs to");
        });
        assertThat(result.plan().flatMap(RowChange.Applied::state))
                .contains(RowState.without(event.version(), Standing.POISONED_AT));
    }

    @Test
    void aRowIsDerivedOnceForABatchAndNotAtAllWhenItIsDeleted() {
        ChangeLog log = new ChangeLog(Tables.films());
        RowPlanner planner = new RowPlanner(
                Tables.films(), 0, Tables.generations(Tables.films()).subList(2, 3));
        DerivationCounter counter = new DerivationCounter("title");

        RowFold.Result inserted = fold(planner, Optional.empty(), counted(log, planner, counter, 1, "Alien"));
        assertThat(counter.derivations()).as("inserted").isOne();
        Optional<RowState> known = inserted.plan().flatMap(RowChange.Applied::state);

        RowFold.Result updated = fold(
                planner, known, counted(log, planner, counter, 2, "Aliens"), counted(log, planner, counter, 3, "Dune"));
        assertThat(counter.derivations()).as("updated twice in a batch").isEqualTo(2);
        assertThat(updated.plan().orElseThrow().mutations())
                .as("the old entry goes, by what is known of the row")
                .hasSize(2);
        known = updated.plan().flatMap(RowChange.Applied::state);

        assertThat(fold(planner, known, counted(log, planner, counter, 3, "Dune"))
                        .plan())
                .as("again")
                .isEmpty();
        ChangeEvent gone = new ChangeEvent.Deleted(log.key("1"), new RowVersion(1, 4), ChangeLog.START);
        assertThat(fold(planner, known, gone).plan().orElseThrow().mutations()).hasSize(1);
        assertThat(counter.derivations()).as("read again, and deleted").isEqualTo(2);
    }

    private static ChangeEvent counted(
            ChangeLog log, RowPlanner planner, DerivationCounter counter, long version, String title) {
        ObjectNode row =
                ChangeLog.document("{\"id\":1,\"title\":\"" + title + "\"}").tree();
        return new ChangeEvent.Upserted(
                log.key("1"),
                new RowVersion(1, version),
                ChangeLog.START,
                UpsertKind.UPDATE,
                counter.read(row, planner.fields()));
    }

    private static RowFold.Result fold(RowPlanner planner, Optional<RowState> known, ChangeEvent... events) {
        LogRecord logged =
                new ChangeLog(Tables.films()).garbage("1").take().records().get(0);
        List<DecodedRecord> records = Stream.of(events)
                .<DecodedRecord>map(event -> new DecodedRecord.Good(logged, event, RowVersion.NONE))
                .toList();
        return RowFold.fold(planner, events[0].key(), known, records);
    }

    /**
     * Few rows and few versions, so that stale, repeated and poisonous records meet often. As a writer does it, each
     * version comes for the first time after those below it.
     */
    private static ChangeLog randomLog(Random random) {
        ChangeLog log = new ChangeLog(Tables.films());
        int[] kinds = random.ints(6, 0, 4).toArray();
        int records = 2 + random.nextInt(6);
        int newest = 0;
        for (int i = 0; i < records; i++) {
            boolean fresh = newest == 0 || (newest < 5 && random.nextBoolean());
            int version = fresh ? ++newest : 1 + random.nextInt(newest);
            String key = Integer.toString(1 + version % 2);
            switch (random.nextInt(8)) {
                case 0 -> log.garbage(key);
                case 1 -> log.garbage(version, key);
                case 2, 3 -> again(log, version, key, kinds[version], fresh);
                default -> add(log, version, key, kinds[version]);
            }
        }
        return log;
    }

    /** One version of a row is always the same event. */
    private static void add(ChangeLog log, int version, String key, int kind) {
        switch (kind) {
            case 0 -> log.delete(version, key);
            case 1 -> log.put(version, "{\"id\":" + key + ",\"cast\":\"no list, version " + version + "\"}");
            default -> log.put(version, row(version, key));
        }
    }

    /** What was published before is published again: a delete as forgotten, and a row as it is read from its table. */
    private static void again(ChangeLog log, int version, String key, int kind, boolean fresh) {
        if (fresh || kind == 1) {
            add(log, version, key, kind);
        } else if (kind == 0) {
            log.forget(version, key);
        } else {
            log.put(version, UpsertKind.READ, row(version, key));
        }
    }

    private static String row(int version, String key) {
        return "{\"id\":" + key + ",\"title\":\"T" + version + "\",\"cast\":[\"A" + version + "\",\"B\"]}";
    }

    private static String state(ChangeLog log, int batchSize) {
        ShardId id = new ShardId("films", 0);
        Clock clock = new SettableClock(ChangeLog.START);
        ShardStore store = new InMemoryShardStores().open(id, new ShardOrigin("t", "d"));
        ShardApplier applier = ShardApplier.open(
                id,
                Tables.plan(Tables.films()),
                store,
                0,
                clock.instant(),
                clock,
                WriterClock.SAME,
                new SilentListener());
        ChangeBatch all = log.from(0);
        for (int from = 0; from < all.records().size(); from += batchSize) {
            int to = Math.min(all.records().size(), from + batchSize);
            applier.apply(new ChangeBatch(all.records().subList(from, to), to, all.leaderEpoch()), clock.instant());
        }
        applier.persist();
        return store.rowStates(List.of(log.key("1"), log.key("2"))) + " " + store.checkpoint();
    }
}
