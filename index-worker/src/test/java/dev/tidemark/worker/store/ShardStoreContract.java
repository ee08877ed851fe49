package dev.tidemark.worker.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.WireRecord;
import dev.tidemark.digest.Digest;
import dev.tidemark.index.Absence;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.RowState.Times;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What every store of shards does. */
public abstract class ShardStoreContract {
    protected static final ShardId ID = new ShardId("films", 3);
    protected static final ShardOrigin ORIGIN = new ShardOrigin("topic-1", "films and their indexes");

    protected static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123456789Z");

    /** That of a shard which holds generations 11 and 12. */
    protected static final ShardCheckpoint CHECKPOINT = ShardCheckpoint.EMPTY
            .with(GenerationStatus.begun(11, "one", new GenerationState.Rebuilding(NOON, "new")))
            .with(GenerationStatus.begun(12, "other", new GenerationState.Rebuilding(NOON, "new")));

    /** The stores under test, the same for the whole of a test. */
    protected abstract ShardStores stores();

    @Test
    void startsEmptyWithTheOriginGiven() {
        try (ShardStore store = stores().open(ID, ORIGIN)) {
            assertThat(store.origin()).isEqualTo(ORIGIN);
            assertThat(store.checkpoint()).isEqualTo(ShardCheckpoint.EMPTY);
            assertThat(store.rowStates(List.of(key("a")))).containsExactly(Optional.empty());
        }
    }

    @Test
    void whatIsKeptOfAShardIsReadBesideTheOneThatIsBuiltAgain() {
        ShardStores stores = stores();
        try (ShardStore store = stores.open(ID, ORIGIN)) {
            store.addGenerations(List.of(11L, 12L));
            store.commit(
                    new ShardBatch(List.of(put(11, "a", "before")), Map.of(), Map.of(), CHECKPOINT),
                    Durability.POWER_CUT);
            stores.keep(ID);
            store.commit(
                    new ShardBatch(List.of(put(11, "b", "later")), Map.of(), Map.of(), CHECKPOINT),
                    Durability.POWER_CUT);
            stores.keep(ID);
        }
        stores.drop(ID);
        try (ShardStore again = stores.open(ID, ORIGIN);
                ShardStore kept = stores.kept(ID).orElseThrow()) {
            assertThat(again.checkpoint()).isEqualTo(ShardCheckpoint.EMPTY);
            assertThat(kept.origin()).isEqualTo(ORIGIN);
            assertThat(kept.checkpoint()).isEqualTo(CHECKPOINT);
            assertThat(stores.kept(ID)).as("it is open").isEmpty();
            assertThatThrownBy(() -> stores.dropKept(ID)).isInstanceOf(IllegalStateException.class);
            try (ShardView view = kept.view();
                    EntryScan scan = view.scan(11, KeyRange.ALL, Order.ASC)) {
                assertThat(scan.key()).isEqualTo(key("a"));
                scan.next();
                assertThat(scan.isValid()).as("what came after it was kept").isFalse();
            }
        }
        stores.dropKept(ID);
        assertThat(stores.kept(ID)).isEmpty();
    }

    @Test
    void aShardThatIsClosedIsKeptAsWell() {
        ShardStores stores = stores();
        try (ShardStore store = stores.open(ID, ORIGIN)) {
            store.addGenerations(List.of(11L, 12L));
            store.commit(ShardBatch.of(CHECKPOINT), Durability.POWER_CUT);
        }
        stores.keep(ID);
        stores.drop(ID);
        try (ShardStore kept = stores.kept(ID).orElseThrow()) {
            assertThat(kept.checkpoint()).isEqualTo(CHECKPOINT);
        }
    }

    @Test
    void nothingIsKeptOfAShardThatThereIsNot() {
        ShardStores stores = stores();
        stores.keep(ID);
        assertThat(stores.kept(ID)).isEmpty();
        stores.dropKept(ID);
    }

    @Test
    void tellsAboutHowManyBytesAGenerationTakes() {
        List<IndexMutation> many = new ArrayList<>();
        for (int i = 0; i < 20_000; i++) {
            many.add(put(11, "key " + i, "carried by " + i));
        }
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(many, Map.of(), Map.of(), CHECKPOINT), Durability.PROCESS);
            try (ShardView view = store.view()) {
                assertThat(sum(view, 11)).isBetween(100_000L, 4_000_000L);
                assertThat(sum(view, 12)).isLessThan(sum(view, 11) / 4);
                assertThat(view.approximateBytes(99)).isEqualTo(StoredBytes.NONE);
            }
        }
    }

    private static long sum(ShardView view, long generation) {
        StoredBytes bytes = view.approximateBytes(generation);
        return bytes.files() + bytes.memory();
    }

    @Test
    void keepsItsOriginWhenOpenedWithAnother() {
        open().close();
        try (ShardStore store = stores().open(ID, new ShardOrigin("topic-2", "other"))) {
            assertThat(store.origin()).isEqualTo(ORIGIN);
        }
    }

    @Test
    void keepsEverythingOfABatchAcrossReopening() {
        RowState state = new RowState(
                new RowVersion(9_999, 999_999_999_999_999L),
                Standing.POISONED_AT,
                Map.of(
                        11L,
                        new Entries(List.of(key("x"), KeyBytes.EMPTY), -5, Optional.empty()),
                        12L,
                        Entries.NONE,
                        13L,
                        Entries.refused("too long")));
        QuarantinedRecord record = new QuarantinedRecord(
                7, new WireRecord(key("a"), null, Map.of("one", "1", "two", "")), "no reason", NOON);
        ShardCheckpoint checkpoint = new ShardCheckpoint(
                8, OptionalInt.of(5), new Progress(NOON, new RowVersion(1, 2)), NOON, CHECKPOINT.generations(), 4, 1);
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(
                    List.of(put(11, "x", "carried"), put(12, "y", "")),
                    Map.of(key("a"), Optional.of(state)),
                    Map.of(key("a"), Optional.of(record)),
                    checkpoint));
        }
        try (ShardStore store = open();
                ShardView view = store.view()) {
            assertThat(store.checkpoint()).isEqualTo(checkpoint);
            assertThat(view.checkpoint()).isEqualTo(checkpoint);
            assertThat(store.rowStates(List.of(key("b"), key("a"))))
                    .containsExactly(Optional.empty(), Optional.of(state));
            assertThat(view.versions(List.of(key("a"), key("b"))))
                    .containsExactly(Optional.of(state.version()), Optional.empty());
            assertThat(view.rowState(key("a"))).contains(state);
            assertThat(view.rowState(key("b"))).isEmpty();
            assertThat(quarantine(view)).containsExactly(record);
            assertThat(view.quarantined(key("a"))).contains(record);
            assertThat(view.quarantined(key("b"))).isEmpty();
            assertThat(names(view)).containsExactly(new QuarantinedName(key("a"), 7, "no reason", NOON));
            assertThat(entries(view, 11, KeyRange.ALL, Order.ASC)).containsExactly("x=carried");
            assertThat(entries(view, 12, KeyRange.ALL, Order.ASC)).containsExactly("y=");
        }
    }

    @Test
    void keepsWhenARowCameAboutAndWhyItHasNoEntries() {
        Entries some = new Entries(List.of(key("x")), 7, Optional.empty());
        Map<KeyBytes, Optional<RowState>> rows = new HashMap<>();
        for (Absence absence : List.of(
                new Absence.Filtered(0), new Absence.Filtered(63), new Absence.NoValue(0), new Absence.NoValue(64))) {
            Entries none = new Entries(List.of(), 0, Optional.of(absence));
            RowState state = new RowState(new RowVersion(1, 7), Standing.LIVE, Map.of(11L, none, 12L, some));
            rows.put(key("untimed " + absence), Optional.of(state));
            rows.put(key("later " + absence), Optional.of(state.at(Times.of(NOON, NOON.plusSeconds(86_400)))));
            rows.put(key("earlier " + absence), Optional.of(state.at(Times.of(NOON, NOON.minusMillis(1)))));
        }
        RowState deleted = RowState.without(new RowVersion(1, 8), Standing.DELETED);
        rows.put(key("deleted"), Optional.of(deleted.at(Times.of(NOON, NOON))));
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(), rows, Map.of(), CHECKPOINT));
        }
        try (ShardStore store = open();
                ShardView view = store.view()) {
            rows.forEach((key, state) -> {
                assertThat(view.rowState(key)).isEqualTo(state);
                assertThat(store.rowStates(List.of(key))).containsExactly(state);
            });
        }
    }

    @Test
    void removesEntriesRowsAndQuarantine() {
        try (ShardStore store = open()) {
            RowState state = RowState.without(new RowVersion(1, 1), Standing.DELETED);
            QuarantinedRecord record =
                    new QuarantinedRecord(0, new WireRecord(key("a"), key("v"), Map.of()), "reason", NOON);
            store.commit(new ShardBatch(
                    List.of(put(11, "x", "")),
                    Map.of(key("a"), Optional.of(state)),
                    Map.of(key("a"), Optional.of(record)),
                    CHECKPOINT));
            store.commit(new ShardBatch(
                    List.of(new IndexMutation.RemoveEntry(11, key("x"))),
                    Map.of(key("a"), Optional.empty()),
                    Map.of(key("a"), Optional.empty()),
                    CHECKPOINT));
            try (ShardView view = store.view()) {
                assertThat(entries(view, 11, KeyRange.ALL, Order.ASC)).isEmpty();
                assertThat(quarantine(view)).isEmpty();
                assertThat(names(view)).isEmpty();
            }
            assertThat(store.rowStates(List.of(key("a")))).containsExactly(Optional.empty());
        }
    }

    @Test
    void namesQuarantinedRecordsInFewBytes() {
        String begin = "k".repeat(TableDefinition.MAX_KEY_BYTES);
        KeyBytes one = key(begin + "1");
        KeyBytes other = key(begin + "2");
        KeyBytes value = KeyBytes.wrap(new byte[1 << 20]);
        String reason = "r".repeat(1 << 20);
        Map<KeyBytes, Optional<QuarantinedRecord>> records = new HashMap<>();
        for (KeyBytes key : List.of(one, other)) {
            records.put(key, Optional.of(new QuarantinedRecord(5, new WireRecord(key, value, Map.of()), reason, NOON)));
        }
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(), Map.of(), records, CHECKPOINT));
            try (ShardView view = store.view()) {
                assertThat(names(view)).hasSize(2).allSatisfy(name -> {
                    assertThat(name.key()).isEqualTo(key(begin));
                    assertThat(name.reason())
                            .hasSize(QuarantinedName.MOST_REASON)
                            .endsWith("r…");
                });
            }
            store.commit(new ShardBatch(List.of(), Map.of(), Map.of(one, Optional.empty()), CHECKPOINT));
            try (ShardView view = store.view()) {
                assertThat(names(view)).hasSize(1);
                assertThat(view.quarantined(other)).isPresent();
            }
        }
    }

    @Test
    void scansARangeFromEitherEnd() {
        try (ShardStore store = open()) {
            List<IndexMutation> mutations = new ArrayList<>();
            for (String name : List.of("a", "b", "ba", "c", "d")) {
                mutations.add(put(11, name, ""));
            }
            store.commit(new ShardBatch(mutations, Map.of(), Map.of(), CHECKPOINT));
            try (ShardView view = store.view()) {
                KeyRange range = new KeyRange(key("b"), key("d"));
                assertThat(entries(view, 11, range, Order.ASC)).containsExactly("b=", "ba=", "c=");
                assertThat(entries(view, 11, range, Order.DESC)).containsExactly("c=", "ba=", "b=");
                assertThat(entries(view, 11, new KeyRange(key("c"), null), Order.DESC))
                        .containsExactly("d=", "c=");
                assertThat(entries(view, 11, new KeyRange(key("c"), key("b")), Order.ASC))
                        .isEmpty();
                assertThat(entries(view, 12, KeyRange.ALL, Order.ASC)).isEmpty();
            }
        }
    }

    @Test
    void aViewStaysAsItWas() {
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(put(11, "a", "1")), Map.of(), Map.of(), CHECKPOINT));
            try (ShardView view = store.view()) {
                store.commit(
                        new ShardBatch(List.of(put(11, "a", "2"), put(11, "b", "2")), Map.of(), Map.of(), CHECKPOINT));
                assertThat(entries(view, 11, KeyRange.ALL, Order.ASC)).containsExactly("a=1");
            }
        }
    }

    @Test
    void tellsTheVersionsThatRowsHaveInTheView() {
        List<KeyBytes> rows = List.of(key("a"), key("b"));
        try (ShardStore store = open()) {
            store.commit(rowAt("a", 1));
            try (ShardView first = store.view();
                    ShardView same = store.view()) {
                assertThat(first.versions(rows)).containsExactly(Optional.of(new RowVersion(1, 1)), Optional.empty());
                assertThat(same.versions(rows)).isEqualTo(first.versions(rows));
                store.commit(rowAt("a", 2));
                store.commit(rowAt("b", 3));
                try (ShardView later = store.view()) {
                    for (int again = 0; again < 2; again++) {
                        assertThat(first.versions(rows))
                                .containsExactly(Optional.of(new RowVersion(1, 1)), Optional.empty());
                        assertThat(later.versions(rows))
                                .containsExactly(Optional.of(new RowVersion(1, 2)), Optional.of(new RowVersion(1, 3)));
                    }
                }
            }
        }
    }

    @Test
    void refusesToBeUsedAfterClosing() {
        ShardStore store = open();
        store.close();
        assertThatThrownBy(store::view).isInstanceOf(ShardClosedException.class);
        assertThatThrownBy(store::checkpoint).isInstanceOf(ShardClosedException.class);
        assertThatThrownBy(() -> store.commit(ShardBatch.of(CHECKPOINT))).isInstanceOf(ShardClosedException.class);
    }

    @Test
    void startsAnewAfterBeingDropped() {
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(put(11, "a", "")), Map.of(), Map.of(), CHECKPOINT));
        }
        stores().drop(ID);
        stores().drop(ID);
        ShardOrigin other = new ShardOrigin("topic-2", "other");
        try (ShardStore store = stores().open(ID, other);
                ShardView view = store.view()) {
            assertThat(store.checkpoint()).isEqualTo(ShardCheckpoint.EMPTY);
            assertThat(store.origin()).isEqualTo(other);
            assertThat(entries(view, 11, KeyRange.ALL, Order.ASC)).isEmpty();
        }
    }

    @Test
    void keepsEveryPhaseOfAGeneration() {
        GenerationState.Building building = new GenerationState.Building(5, 9, 1, NOON, "wanted");
        List<GenerationState> phases = List.of(
                building,
                new GenerationState.Paused(building, NOON.plusSeconds(1), "by hand"),
                new GenerationState.Verifying(false, NOON, "every row of the table has been copied"),
                new GenerationState.Ready(NOON, "proven equal to its table"),
                new GenerationState.Degraded(false, NOON, "rows lacking"),
                new GenerationState.Degraded(true, NOON, "two rows refused"),
                new GenerationState.Rebuilding(NOON, "from the beginning"),
                new GenerationState.Dropping(NOON, "unwanted"));
        ShardCheckpoint checkpoint = ShardCheckpoint.EMPTY;
        for (int i = 0; i < phases.size(); i++) {
            checkpoint = checkpoint.with(GenerationStatus.begun(i + 1, "definition " + i, phases.get(i))
                    .with(new GenerationStats(i, 10 + i, 20 + i, new Digest(-1, i), new Digest(i, Long.MAX_VALUE))));
        }
        try (ShardStore store = stores().open(ID, ORIGIN)) {
            store.addGenerations(checkpoint.generations().keySet());
            store.commit(ShardBatch.of(checkpoint), Durability.POWER_CUT);
        }
        try (ShardStore store = stores().open(ID, ORIGIN)) {
            assertThat(store.checkpoint()).isEqualTo(checkpoint);
        }
    }

    @Test
    void aGenerationGoesWithAllItHolds() {
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(
                    List.of(put(11, "a", ""), put(12, "b", ""), refuse(11, "p"), refuse(12, "q")),
                    Map.of(),
                    Map.of(),
                    CHECKPOINT));
            store.commit(ShardBatch.of(CHECKPOINT.without(11)), Durability.POWER_CUT);
            store.dropGeneration(11);
            store.dropGeneration(11);
            try (ShardView view = store.view()) {
                assertThat(entries(view, 11, KeyRange.ALL, Order.ASC)).isEmpty();
                assertThat(view.refused(11, 9)).isEmpty();
                assertThat(entries(view, 12, KeyRange.ALL, Order.ASC)).containsExactly("b=");
                assertThat(view.refused(12, 9))
                        .containsExactly(new RefusedRow(key("q"), new RowVersion(1, 1), "too long"));
            }
        }
        try (ShardStore store = stores().open(ID, ORIGIN)) {
            assertThatThrownBy(() -> store.commit(
                            new ShardBatch(List.of(put(11, "a", "")), Map.of(), Map.of(), CHECKPOINT.without(11))))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aGenerationThatNoCheckpointNamesIsGoneAfterReopening() {
        try (ShardStore store = open()) {
            store.addGenerations(List.of(13L));
        }
        try (ShardStore store = stores().open(ID, ORIGIN)) {
            assertThatThrownBy(() ->
                            store.commit(new ShardBatch(List.of(put(13, "a", "")), Map.of(), Map.of(), CHECKPOINT)))
                    .isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aGenerationThatIsNamedAndNotThereIsDamage() {
        try (ShardStore store = open()) {
            store.commit(ShardBatch.of(CHECKPOINT.with(GenerationStatus.begun(
                    14, "another", new GenerationState.Rebuilding(NOON, "from the beginning")))));
        }
        assertThatThrownBy(() -> stores().open(ID, ORIGIN))
                .isInstanceOf(ShardDamagedException.class)
                .hasMessageContaining("14");
    }

    @Test
    void aRowIsRefusedUntilItIsAccepted() {
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(refuse(11, "p"), refuse(11, "q")), Map.of(), Map.of(), CHECKPOINT));
            try (ShardView view = store.view()) {
                assertThat(view.refused(11, 1))
                        .extracting(RefusedRow::primaryKey)
                        .containsExactly(key("p"));
                assertThat(view.refused(11, 9)).hasSize(2);
            }
            store.commit(
                    new ShardBatch(List.of(new IndexMutation.Accept(11, key("p"))), Map.of(), Map.of(), CHECKPOINT));
            try (ShardView view = store.view()) {
                assertThat(view.refused(11, 9))
                        .extracting(RefusedRow::primaryKey)
                        .containsExactly(key("q"));
            }
        }
    }

    @Test
    void walksAllRowsInTheOrderOfTheirKeys() {
        RowState one = RowState.without(new RowVersion(1, 1), Standing.LIVE);
        RowState two = RowState.without(new RowVersion(1, 2), Standing.DELETED);
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(
                    List.of(), Map.of(key("b"), Optional.of(two), key("a"), Optional.of(one)), Map.of(), CHECKPOINT));
            Map<String, RowState> found = new LinkedHashMap<>();
            try (ShardView view = store.view();
                    RowScan scan = view.scanRows()) {
                for (; scan.isValid(); scan.next()) {
                    found.put(text(scan.primaryKey()), scan.state());
                }
            }
            assertThat(found).containsExactly(Map.entry("a", one), Map.entry("b", two));
        }
    }

    /** A store that holds generations 11 and 12. */
    protected ShardStore open() {
        ShardStore store = stores().open(ID, ORIGIN);
        if (store.checkpoint().generations().isEmpty()) {
            store.addGenerations(List.of(11L, 12L));
            store.commit(ShardBatch.of(CHECKPOINT));
        }
        return store;
    }

    private static ShardBatch rowAt(String key, long sequence) {
        RowState state = RowState.without(new RowVersion(1, sequence), Standing.LIVE);
        return new ShardBatch(List.of(), Map.of(key(key), Optional.of(state)), Map.of(), CHECKPOINT);
    }

    private static IndexMutation refuse(long generation, String key) {
        return new IndexMutation.Refuse(generation, key(key), new RowVersion(1, 1), "too long");
    }

    protected static KeyBytes key(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    protected static IndexMutation put(long generation, String key, String carried) {
        return new IndexMutation.PutEntry(generation, key(key), key(carried));
    }

    protected static List<String> entries(ShardView view, long generation, KeyRange range, Order order) {
        List<String> entries = new ArrayList<>();
        try (EntryScan scan = view.scan(generation, range, order)) {
            for (; scan.isValid(); scan.next()) {
                entries.add(text(scan.key()) + "=" + text(scan.carried()));
            }
        }
        return entries;
    }

    private static String text(KeyBytes bytes) {
        return new String(bytes.array(), StandardCharsets.UTF_8);
    }

    /** What is in quarantine, by name. */
    protected static List<QuarantinedName> names(ShardView view) {
        List<QuarantinedName> names = new ArrayList<>();
        view.quarantinedNames(names::add);
        return names;
    }

    private static List<QuarantinedRecord> quarantine(ShardView view) {
        List<QuarantinedRecord> records = new ArrayList<>();
        view.quarantine(records::add);
        return records;
    }
}
