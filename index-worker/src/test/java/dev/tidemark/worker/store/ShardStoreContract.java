package dev.tidemark.worker.store;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

import org.junit.jupiter.api.Test;

import dev.tidemark.change.WireRecord;
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

    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00.123456789Z");

    /** The stores under test, the same for the whole of a test. */
    protected abstract ShardStores stores();

    @Test
    void startsEmptyWithTheOriginGiven() {
        try (ShardStore store = open()) {
            assertThat(store.origin()).isEqualTo(ORIGIN);
            assertThat(store.checkpoint()).isEqualTo(ShardCheckpoint.empty(2));
            assertThat(store.rowStates(List.of(key("a")))).containsExactly(Optional.empty());
        }
    }

    @Test
    void keepsItsOriginWhenOpenedWithAnother() {
        open().close();
        try (ShardStore store = stores().open(ID, new ShardOrigin("topic-2", "other"), 2)) {
            assertThat(store.origin()).isEqualTo(ORIGIN);
        }
    }

    @Test
    void keepsEverythingOfABatchAcrossReopening() {
        RowState state = new RowState(
                new RowVersion(9_999, 999_999_999_999_999L),
                Standing.POISONED_AT,
                List.of(
                        new Entries(List.of(key("x"), KeyBytes.EMPTY), key("carried"), Optional.empty()),
                        Entries.NONE));
        QuarantinedRecord record = new QuarantinedRecord(
                7, new WireRecord(key("a"), null, Map.of("one", "1", "two", "")), "no reason", NOON);
        ShardCheckpoint checkpoint = new ShardCheckpoint(
                8, OptionalInt.of(5), new Progress(NOON, new RowVersion(1, 2)), NOON, List.of(3L, 4L), 1);
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(
                    List.of(put(0, "x", "carried"), put(1, "y", "")),
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
            assertThat(view.quarantine(10)).containsExactly(record);
            assertThat(view.quarantined(key("a"))).contains(record);
            assertThat(view.quarantined(key("b"))).isEmpty();
            assertThat(entries(view, 0, KeyRange.ALL, Order.ASC)).containsExactly("x=carried");
            assertThat(entries(view, 1, KeyRange.ALL, Order.ASC)).containsExactly("y=");
        }
    }

    @Test
    void keepsWhenARowCameAboutAndWhyItHasNoEntries() {
        Entries some = new Entries(List.of(key("x")), KeyBytes.EMPTY, Optional.empty());
        Map<KeyBytes, Optional<RowState>> rows = new HashMap<>();
        for (Absence absence : List.of(
                new Absence.Filtered(0), new Absence.Filtered(63), new Absence.NoValue(0), new Absence.NoValue(64))) {
            Entries none = new Entries(List.of(), KeyBytes.EMPTY, Optional.of(absence));
            RowState state = new RowState(new RowVersion(1, 7), Standing.LIVE, List.of(none, some));
            rows.put(key("untimed " + absence), Optional.of(state));
            rows.put(key("later " + absence), Optional.of(state.at(Times.of(NOON, NOON.plusSeconds(86_400)))));
            rows.put(key("earlier " + absence), Optional.of(state.at(Times.of(NOON, NOON.minusMillis(1)))));
        }
        RowState deleted = RowState.without(new RowVersion(1, 8), Standing.DELETED, 2);
        rows.put(key("deleted"), Optional.of(deleted.at(Times.of(NOON, NOON))));
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(), rows, Map.of(), ShardCheckpoint.empty(2)));
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
            RowState state = RowState.without(new RowVersion(1, 1), Standing.DELETED, 2);
            QuarantinedRecord record =
                    new QuarantinedRecord(0, new WireRecord(key("a"), key("v"), Map.of()), "reason", NOON);
            store.commit(new ShardBatch(
                    List.of(put(0, "x", "")),
                    Map.of(key("a"), Optional.of(state)),
                    Map.of(key("a"), Optional.of(record)),
                    ShardCheckpoint.empty(2)));
            store.commit(new ShardBatch(
                    List.of(new IndexMutation.RemoveEntry(0, key("x"))),
                    Map.of(key("a"), Optional.empty()),
                    Map.of(key("a"), Optional.empty()),
                    ShardCheckpoint.empty(2)));
            try (ShardView view = store.view()) {
                assertThat(entries(view, 0, KeyRange.ALL, Order.ASC)).isEmpty();
                assertThat(view.quarantine(1)).isEmpty();
            }
            assertThat(store.rowStates(List.of(key("a")))).containsExactly(Optional.empty());
        }
    }

    @Test
    void scansARangeFromEitherEnd() {
        try (ShardStore store = open()) {
            List<IndexMutation> mutations = new ArrayList<>();
            for (String name : List.of("a", "b", "ba", "c", "d")) {
                mutations.add(put(0, name, ""));
            }
            store.commit(new ShardBatch(mutations, Map.of(), Map.of(), ShardCheckpoint.empty(2)));
            try (ShardView view = store.view()) {
                KeyRange range = new KeyRange(key("b"), key("d"));
                assertThat(entries(view, 0, range, Order.ASC)).containsExactly("b=", "ba=", "c=");
                assertThat(entries(view, 0, range, Order.DESC)).containsExactly("c=", "ba=", "b=");
                assertThat(entries(view, 0, new KeyRange(key("c"), null), Order.DESC))
                        .containsExactly("d=", "c=");
                assertThat(entries(view, 0, new KeyRange(key("c"), key("b")), Order.ASC))
                        .isEmpty();
                assertThat(entries(view, 1, KeyRange.ALL, Order.ASC)).isEmpty();
            }
        }
    }

    @Test
    void aViewStaysAsItWas() {
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(put(0, "a", "1")), Map.of(), Map.of(), ShardCheckpoint.empty(2)));
            try (ShardView view = store.view()) {
                store.commit(new ShardBatch(
                        List.of(put(0, "a", "2"), put(0, "b", "2")), Map.of(), Map.of(), ShardCheckpoint.empty(2)));
                assertThat(entries(view, 0, KeyRange.ALL, Order.ASC)).containsExactly("a=1");
            }
        }
    }

    @Test
    void refusesToBeUsedAfterClosing() {
        ShardStore store = open();
        store.close();
        assertThatThrownBy(store::view).isInstanceOf(ShardClosedException.class);
        assertThatThrownBy(store::checkpoint).isInstanceOf(ShardClosedException.class);
        assertThatThrownBy(() -> store.commit(ShardBatch.of(ShardCheckpoint.empty(2))))
                .isInstanceOf(ShardClosedException.class);
    }

    @Test
    void startsAnewAfterBeingDropped() {
        try (ShardStore store = open()) {
            store.commit(new ShardBatch(List.of(put(0, "a", "")), Map.of(), Map.of(), ShardCheckpoint.empty(2)));
        }
        stores().drop(ID);
        stores().drop(ID);
        ShardOrigin other = new ShardOrigin("topic-2", "other");
        try (ShardStore store = stores().open(ID, other, 2);
                ShardView view = store.view()) {
            assertThat(store.origin()).isEqualTo(other);
            assertThat(entries(view, 0, KeyRange.ALL, Order.ASC)).isEmpty();
        }
    }

    protected ShardStore open() {
        return stores().open(ID, ORIGIN, 2);
    }

    protected static KeyBytes key(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static IndexMutation put(int index, String key, String carried) {
        return new IndexMutation.PutEntry(index, key(key), key(carried));
    }

    private static List<String> entries(ShardView view, int index, KeyRange range, Order order) {
        List<String> entries = new ArrayList<>();
        try (EntryScan scan = view.scan(index, range, order)) {
            for (; scan.isValid(); scan.next()) {
                entries.add(text(scan.key()) + "=" + text(scan.carried()));
            }
        }
        return entries;
    }

    private static String text(KeyBytes bytes) {
        return new String(bytes.array(), StandardCharsets.UTF_8);
    }
}
