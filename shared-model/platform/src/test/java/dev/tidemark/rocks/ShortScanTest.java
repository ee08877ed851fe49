package dev.tidemark.rocks;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.rocksdb.ReadTier;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ShortScanTest {
    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    Path directory = Path.of("");

    private RocksDatabase database;

    @BeforeEach
    void open() {
        database = RocksDatabase.open(directory, List.of("rows"), resources);
    }

    @AfterEach
    void close() {
        database.close();
        resources.close();
    }

    @Test
    void aScanShowsTheMomentOfItsViewWhoeverUsedTheIteratorBefore() {
        put("a1", "b1");
        RocksView old = database.view();
        assertThat(keys(old, "a", "b")).containsExactly("a1");
        put("a2");
        try (old;
                RocksView later = database.view()) {
            assertThat(keys(later, "a", "b")).containsExactly("a1", "a2");
            assertThat(keys(old, "a", "b")).containsExactly("a1");
            assertThat(keys(later, "a", "c")).containsExactly("a1", "a2", "b1");
        }
    }

    @Test
    void aScanEndsWhereItsOwnRangeEnds() {
        put("a1", "a2", "b1", "c1", "c2");
        try (RocksView view = database.view()) {
            assertThat(keys(view, "a", "d")).hasSize(5);
            assertThat(keys(view, "a", "b")).containsExactly("a1", "a2");
            assertThat(keys(view, "a2", "c2")).containsExactly("a2", "b1", "c1");
            assertThat(keys(view, "a", "a2")).containsExactly("a1");
            assertThat(keys(view, "d", "e")).isEmpty();
        }
    }

    @Test
    void anIteratorThatWaitsFollowsWhatIsFlushedAndReplaced() {
        for (int round = 0; round < 5; round++) {
            for (int i = 0; i < 200; i++) {
                put("a" + round + "-" + i + "x".repeat(8_000));
            }
            try (RocksView view = database.view()) {
                assertThat(keys(view, "a" + round, "a" + (round + 1))).hasSize(200);
                assertThat(keys(view, "a", "b")).hasSize(200 * (round + 1));
            }
        }
    }

    @Test
    void scansAtOnceHaveIteratorsOfTheirOwn() {
        put("a1", "a2", "b1");
        try (RocksView view = database.view();
                RocksScan one = scan(view, "a", "b");
                RocksScan other = scan(view, "b", "c")) {
            assertThat(one.key()).isEqualTo(bytes("a1"));
            assertThat(other.key()).isEqualTo(bytes("b1"));
            one.next();
            assertThat(one.key()).isEqualTo(bytes("a2"));
        }
    }

    @Test
    void aDroppedTableClosesTheIteratorsThatWaitAndThoseThatComeBack() {
        put("a1");
        RocksTable table = database.table("rows");
        try (RocksView view = database.view()) {
            assertThat(keys(view, "a", "b")).hasSize(1);
            RocksScan underWay = scan(view, "a", "b");
            assertThat(keys(view, "a", "b")).hasSize(1);
            database.dropTable("rows");
            assertThat(table.handle().isOwningHandle()).isTrue();
            assertThat(underWay.key()).isEqualTo(bytes("a1"));
            underWay.close();
            assertThatThrownBy(table::handle).isInstanceOf(StoreClosedException.class);
            assertThatThrownBy(() -> view.shortScan(table, range("a", "b"), Order.ASC, false))
                    .isInstanceOf(TableDroppedException.class);
        }
        assertThat(waiting(table)).isZero();
    }

    @Test
    void fewIteratorsWaitAndThoseThatNoScanNeedsAreClosed() {
        put("a1");
        RocksTable table = database.table("rows");
        try (RocksView view = database.view()) {
            List<RocksScan> scans = new ArrayList<>();
            for (int i = 0; i < 9; i++) {
                scans.add(scan(view, "a", "b"));
            }
            scans.forEach(RocksScan::close);
            assertThat(waiting(table)).isEqualTo(4);
            table.closeUnused();
            assertThat(waiting(table)).isEqualTo(4);
            keys(view, "a", "b");
            table.closeUnused();
            assertThat(waiting(table)).isEqualTo(1);
            table.closeUnused();
            assertThat(waiting(table)).isZero();
            assertThat(keys(view, "a", "b")).hasSize(1);
        }
    }

    @Test
    void closingTheDatabaseWaitsForAScanAndClosesItsIterator() throws Exception {
        put("a1");
        RocksView view = database.view();
        RocksScan scan = scan(view, "a", "b");
        CompletableFuture<Void> closing = CompletableFuture.runAsync(database::close);
        assertThat(scan.key()).isEqualTo(bytes("a1"));
        assertThat(closing).isNotDone();
        scan.close();
        view.close();
        closing.get();
        assertThat(waiting(database.table("rows"))).isZero();
        open();
    }

    private static int waiting(RocksTable table) {
        return table.cursors(ReadTier.READ_ALL_TIER).waiting();
    }

    private List<String> keys(RocksView view, String from, String to) {
        List<String> keys = new ArrayList<>();
        try (RocksScan scan = scan(view, from, to)) {
            for (; scan.isValid(); scan.next()) {
                keys.add(new String(scan.key(), StandardCharsets.UTF_8));
            }
        }
        return keys;
    }

    private RocksScan scan(RocksView view, String from, String to) {
        return view.shortScan(database.table("rows"), range(from, to), Order.ASC, false);
    }

    private static KeyRange range(String from, String to) {
        return new KeyRange(KeyBytes.wrap(bytes(from)), KeyBytes.wrap(bytes(to)));
    }

    private void put(String... keys) {
        for (String key : keys) {
            database.put(database.table("rows"), bytes(key), bytes("1"), false);
        }
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }
}
