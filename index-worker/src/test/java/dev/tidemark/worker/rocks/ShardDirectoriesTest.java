package dev.tidemark.worker.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.worker.store.Leftover;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class ShardDirectoriesTest {
    private static final ShardId ID = new ShardId("films", 3);
    private static final ShardOrigin ORIGIN = new ShardOrigin("topic", "table");
    private static final Instant LONG_AGO = Instant.parse("2020-01-01T00:00:00Z");

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20);

    @TempDir
    Path root = Path.of("");

    @AfterEach
    void closeResources() {
        resources.close();
    }

    @Test
    void findsNothingWhereNoShardWasEverOpen() {
        assertThat(new ShardDirectories(root.resolve("none")).find()).isEmpty();
    }

    @Test
    void findsWhatIsLeftWithItsSizeAndTheTimeOfItsNewestFile() throws IOException {
        file("films-3/000001.sst", 10);
        file("films-3/sub/000002.sst", 5);
        file(".dropped-films-4/000003.sst", 7);
        file(".kept-films-3/000004.sst", 3);
        file("notes/not-a-shard", 9);
        file("films-03/nor-is-this", 9);

        assertThat(new ShardDirectories(root).find())
                .containsExactlyInAnyOrder(
                        new Leftover("films-3", Optional.of(ID), 15, LONG_AGO),
                        new Leftover(".dropped-films-4", Optional.empty(), 7, LONG_AGO),
                        new Leftover(".kept-films-3", Optional.of(ID), 3, LONG_AGO));
    }

    @Test
    void whatIsKeptOfAShardIsLeftUnlessItIsOpenAndGoesByItself() {
        RocksShardStores stores = new RocksShardStores(root, resources, 0, 0);
        stores.open(ID, ORIGIN).close();
        stores.keep(ID);
        stores.drop(ID);
        try (ShardStore kept = stores.kept(ID).orElseThrow()) {
            assertThat(kept.origin()).isEqualTo(ORIGIN);
            assertThat(stores.leftovers().find()).isEmpty();
        }
        Leftover left = stores.leftovers().find().get(0);
        assertThat(left.name()).isEqualTo(".kept-films-3");
        assertThat(stores.leftovers().remove(left)).isTrue();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void aShardIsLeftOnceItIsClosed() {
        RocksShardStores stores = stores();
        ShardStore store = stores.open(ID, ORIGIN);
        assertThat(stores.leftovers().find()).isEmpty();

        store.close();

        assertThat(stores.leftovers().find())
                .singleElement()
                .satisfies(left -> assertThat(left.shard()).contains(ID))
                .satisfies(left -> assertThat(left.bytes()).isPositive());
    }

    @Test
    void aShardThatWasOpenedAgainMeanwhileStays() {
        RocksShardStores stores = stores();
        stores.open(ID, ORIGIN).close();
        Leftover found = stores.leftovers().find().get(0);

        try (ShardStore store = stores.open(ID, ORIGIN)) {
            assertThat(stores.leftovers().remove(found)).isFalse();
            assertThat(store.origin()).isEqualTo(ORIGIN);
            assertThatThrownBy(() -> stores.drop(ID)).hasMessageContaining("films-3 to be closed");
        }
        assertThat(root.resolve("films-3")).isDirectory();
    }

    @Test
    void whatIsRemovedIsGoneAndTheShardBeginsAnew() throws IOException {
        RocksShardStores stores = stores();
        stores.open(ID, ORIGIN).close();
        file(".dropped-films-3/000001.sst", 7);

        for (Leftover left : stores.leftovers().find()) {
            assertThat(stores.leftovers().remove(left)).isTrue();
        }

        try (Stream<Path> children = Files.list(root)) {
            assertThat(children).isEmpty();
        }
        ShardOrigin other = new ShardOrigin("another topic", "table");
        try (ShardStore store = stores.open(ID, other)) {
            assertThat(store.origin()).isEqualTo(other);
        }
    }

    @Test
    void whatIsFoundBeforeACopyArrivesThereStays() throws IOException {
        file(".arriving-films-3/000001.sst", 10);
        ShardDirectories directories = new ShardDirectories(root);
        Leftover leftover = directories.find().get(0);
        Path arriving = directories.arriving(ID);

        assertThat(directories.remove(leftover)).isFalse();
        assertThat(arriving.resolve("000001.sst")).exists();
        directories.notArriving(ID, false);
        assertThat(directories.remove(leftover)).isTrue();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void whatRocksDbMakesBesideACopyThatIsToBeKeptStays() throws IOException {
        ShardDirectories directories = new ShardDirectories(root);
        Path copy = directories.keeping(ID);
        Path staged = Files.createDirectory(copy.resolveSibling(copy.getFileName() + ".tmp"));

        assertThat(directories.find()).isEmpty();
        assertThat(directories.remove(new Leftover(staged.getFileName().toString(), Optional.empty(), 0, Instant.MIN)))
                .isFalse();
        assertThat(staged).exists();
    }

    @Test
    void whatWasMovedAsideCanBeRemovedHoweverLongItsNameIs() throws IOException {
        file(".dropped-" + "x".repeat(240) + "/000001.sst", 7);
        ShardDirectories directories = new ShardDirectories(root);
        assertThat(directories.remove(directories.find().get(0))).isTrue();
        assertThat(root).isEmptyDirectory();
    }

    @Test
    void aShardThatCouldNotBeOpenedIsLeft() throws IOException {
        file("films-3/CURRENT", 3);
        RocksShardStores stores = stores();
        assertThatThrownBy(() -> stores.open(ID, ORIGIN)).isInstanceOf(RuntimeException.class);

        assertThat(stores.leftovers().find()).hasSize(1);
        stores.drop(ID);
        assertThat(stores.leftovers().find()).isEmpty();
    }

    private void file(String path, int bytes) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.getParent());
        Files.write(file, new byte[bytes]);
        for (Path each : List.of(file, file.getParent(), root.resolve(path.substring(0, path.indexOf('/'))))) {
            Files.setLastModifiedTime(each, FileTime.from(LONG_AGO));
        }
    }

    private RocksShardStores stores() {
        return new RocksShardStores(root, resources, 1 << 20, 1 << 20);
    }
}
