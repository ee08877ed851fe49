package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryShardStores;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.SilentListener;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Rows of some KiB whose keys, or what their entries carry, have megabytes. */
class LargeChangesTest {
    private static final ShardId ID = new ShardId("films", 0);
    private static final int ROWS = 20;
    private static final int ENTRIES = 500;

    private final TableDefinition films = films("{ key: [{field: cast, each: true}, title], projection: keys_only }");
    private final ChangeLog log = new ChangeLog(films);
    private final Watched store = new Watched(new InMemoryShardStores().open(ID, new ShardOrigin("topic", "text")));

    @Test
    void areStoredInStepsOfWhichTheLastMovesTheOffset() {
        ShardApplier applier = open();

        applier.apply(changes(), ChangeLog.at(100));

        assertThat(store.entries).hasSizeGreaterThan(3).allMatch(entries -> entries < 5 * ENTRIES);
        assertThat(store.offsets.subList(0, store.offsets.size() - 1)).containsOnly(0L);
        assertThat(store.checkpoint().nextOffset()).isEqualTo(ROWS);
        assertThat(tallied()).isEqualTo((long) ROWS * ENTRIES);
        assertThat(store.lookedUp).as("at a time").allMatch(rows -> rows <= 16);
    }

    @Test
    void areTheSameAfterAnEndInBetween() {
        ShardApplier interrupted = open();
        store.commitsLeft = 3;
        ChangeBatch changes = changes();
        assertThatThrownBy(() -> interrupted.apply(changes, ChangeLog.at(100))).hasMessage("the process ends");
        store.commitsLeft = Integer.MAX_VALUE;
        assertThat(store.checkpoint().nextOffset()).isZero();
        assertThat(tallied()).isPositive();

        open().apply(changes, ChangeLog.at(100));

        assertThat(store.checkpoint().nextOffset()).isEqualTo(ROWS);
        assertThat(tallied()).isEqualTo((long) ROWS * ENTRIES);
        assertThat(store.rowStates(List.of(log.key("19"))).get(0)).isPresent();
    }

    @Test
    void areTheSameAfterAnEndInBetweenAlsoWhereOneFollowsARecordThatCannotBeRead() {
        log.garbage("0");
        ChangeBatch changes = changes();
        ShardApplier interrupted = open();
        store.commitsLeft = 3;
        assertThatThrownBy(() -> interrupted.apply(changes, ChangeLog.at(100))).hasMessage("the process ends");
        store.commitsLeft = Integer.MAX_VALUE;
        assertThat(store.checkpoint().nextOffset()).isLessThan(ROWS);
        assertThat(tallied()).isPositive();

        open().apply(log.from(store.checkpoint().nextOffset()), ChangeLog.at(100));

        assertThat(store.checkpoint().nextOffset()).isEqualTo(ROWS + 1);
        assertThat(store.checkpoint().quarantined()).isZero();
        assertThat(tallied()).isEqualTo((long) ROWS * ENTRIES);
    }

    @Test
    void mayHaveMissedDeletesOnceTheyAreStoredInPart() {
        open();
        store.commit(ShardBatch.of(store.checkpoint().caughtUpAt(Instant.MIN)), Durability.PROCESS);
        ShardApplier interrupted = open();
        store.commitsLeft = 1;
        ChangeBatch changes = changes();
        assertThatThrownBy(() -> interrupted.apply(changes, ChangeLog.at(100))).hasMessage("the process ends");
        store.commitsLeft = Integer.MAX_VALUE;
        assertThat(store.checkpoint().nextOffset()).isZero();

        ShardApplier later = open();

        assertThat(later.seenCaughtUp()).as("by this applier").isEqualTo(Instant.MIN);
        assertThat(later.lastCaughtUp()).as("as the first rows came").isEqualTo(ChangeLog.at(100));
    }

    @Test
    void areStoredInStepsAlsoWhereOnlyTheStatesOfRowsChange() {
        ShardApplier applier = open();
        applier.apply(changes(), ChangeLog.at(100));
        store.forget();

        applier.apply(changes(ROWS + 1, ",\"seen\":true"), ChangeLog.at(200));

        assertThat(store.entries).as("entries stay as they are").containsOnly(0);
        assertThat(store.rows).hasSizeGreaterThan(3).allMatch(rows -> rows <= 5);
        assertThat(applier.status().checkpoint().nextOffset()).isEqualTo(2L * ROWS);
    }

    @Test
    void areStoredInStepsAlsoWhereEntriesCarryMoreThanTheirKeysHave() {
        ShardApplier applier = open(films("{ key: [{field: cast, each: true}], projection: all }"));

        applier.apply(changes(), ChangeLog.at(100));

        long row = store.carried.stream().mapToLong(Long::longValue).sum() / ROWS;
        assertThat(row).isGreaterThan(1 << 20);
        assertThat(store.carried).hasSizeGreaterThan(3).allMatch(bytes -> bytes <= (8 << 20) + row);
        assertThat(tallied()).isEqualTo((long) ROWS * ENTRIES);
    }

    @Test
    void areLookedUpAFewAtATimeAlsoOnceTheIndexThatMadeThemLargeIsGone() {
        ShardApplier applier = open();
        applier.apply(changes(), ChangeLog.at(100));
        store.lookedUp.clear();
        DesiredTable small = Tables.plan(films("{ key: [title], projection: keys_only }"));
        DesiredTable after = new DesiredTable(
                small.definition(),
                List.of(new DesiredIndex(
                        new Generation(2, small.definition().indexes().get(0)), Optional.empty(), false)),
                Optional.empty(),
                0,
                Optional.empty());
        while (applier.reconcile(after)) {
            assertThat(store.lookedUp).isEmpty();
        }

        for (int id = 0; id < ROWS; id++) {
            log.delete(ROWS + 1 + id, Integer.toString(id));
        }
        applier.apply(log.take(), ChangeLog.at(200));

        assertThat(store.lookedUp).isNotEmpty().allMatch(rows -> rows <= 16);
        assertThat(store.rowStates(List.of(log.key("19"))).get(0))
                .hasValueSatisfying(row -> assertThat(row.isLive()).isFalse());
    }

    @Test
    void rowsThatTurnOutSmallAreLookedUpInLargerPieces() {
        ShardApplier applier = open(films("{ key: [title], projection: keys_only }"));
        for (int id = 0; id < 1_000; id++) {
            log.put(1 + id, "{\"id\":" + id + ",\"title\":\"T\",\"cast\":[]}");
        }
        ChangeBatch batch = log.take();
        applier.apply(batch, ChangeLog.at(100));
        for (int id = 0; id < 1_000; id++) {
            log.delete(1_001 + id, Integer.toString(id));
        }
        store.lookedUp.clear();

        applier.apply(log.take(), ChangeLog.at(200));

        assertThat(store.lookedUp).containsExactly(16, 32, 64, 128, 256, 504);
    }

    private static TableDefinition films(String index) {
        return Tables.catalog("""
                tables:
                  films:
                    primaryKey: id
                    partitions: 1
                    indexes:
                      by_actor: %s
                """.formatted(index)).tables().get(0);
    }

    private ShardApplier open() {
        return open(films);
    }

    private ShardApplier open(TableDefinition table) {
        DesiredTable plan = Tables.plan(table);
        SettableClock clock = new SettableClock(ChangeLog.at(100));
        ShardApplier applier = ShardApplier.open(
                ID, plan, store, ROWS, clock.instant(), clock, WriterClock.SAME, new SilentListener());
        store.forget();
        return applier;
    }

    private ChangeBatch changes() {
        return changes(1, "");
    }

    private ChangeBatch changes(long first, String more) {
        String cast = IntStream.range(0, ENTRIES).mapToObj(String::valueOf).collect(Collectors.joining(","));
        String title = "x".repeat(4_000);
        for (int id = 0; id < ROWS; id++) {
            log.put(first + id, "{\"id\":" + id + ",\"title\":\"" + title + "\",\"cast\":[" + cast + "]" + more + "}");
        }
        return log.take();
    }

    private long tallied() {
        return store.checkpoint()
                .generations()
                .values()
                .iterator()
                .next()
                .tally()
                .entries();
    }

    /** Writes down what is stored at a time. */
    private static final class Watched implements ShardStore {
        private final ShardStore store;
        private final List<Integer> entries = new ArrayList<>();
        private final List<Integer> rows = new ArrayList<>();
        private final List<Long> carried = new ArrayList<>();
        private final List<Long> offsets = new ArrayList<>();
        private final List<Integer> lookedUp = new ArrayList<>();
        private int commitsLeft = Integer.MAX_VALUE;

        Watched(ShardStore store) {
            this.store = store;
        }

        void forget() {
            entries.clear();
            rows.clear();
            carried.clear();
            offsets.clear();
        }

        private static long carried(IndexMutation change) {
            return change instanceof IndexMutation.PutEntry put ? put.carried().length() : 0;
        }

        @Override
        public ShardOrigin origin() {
            return store.origin();
        }

        @Override
        public ShardCheckpoint checkpoint() {
            return store.checkpoint();
        }

        @Override
        public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
            lookedUp.add(primaryKeys.size());
            return store.rowStates(primaryKeys);
        }

        @Override
        public void commit(ShardBatch batch, Durability durability) {
            if (commitsLeft-- == 0) {
                throw new IllegalStateException("the process ends");
            }
            entries.add(batch.mutations().size());
            rows.add(batch.rows().size());
            carried.add(batch.mutations().stream().mapToLong(Watched::carried).sum());
            offsets.add(batch.checkpoint().nextOffset());
            store.commit(batch, durability);
        }

        @Override
        public void addGenerations(Collection<Long> generations) {
            store.addGenerations(generations);
        }

        @Override
        public void dropGeneration(long generation) {
            store.dropGeneration(generation);
        }

        @Override
        public ShardView view() {
            return store.view();
        }

        @Override
        public void close() {
            store.close();
        }
    }
}
