package dev.tidemark.writer.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.rocks.RocksChecksumScan;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.testkit.FileDamage;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsDamagedException;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.commit.KeyedRow;

import static dev.tidemark.writer.testkit.TestTables.CATALOG;
import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.delete;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real damage to the files of closed fact tables: it is refused, or seen, or leaves a whole older state. */
class DamagedFactsTest {
    private static final int COMMITS = 400;

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20, 2, what -> {});

    @TempDir
    private Path data = Path.of("");

    private Path directory = Path.of("");

    @BeforeEach
    void nameTheFiles() {
        directory = data.resolve("facts");
    }

    @AfterEach
    void close() {
        resources.close();
    }

    @ParameterizedTest
    @EnumSource(FileDamage.class)
    void aDamagedWriteAheadLogIsRefusedOrLeavesAWholeOlderState(FileDamage damage) throws Exception {
        write();

        damage.ofLargest(directory, ".log");

        try (WriterDatabase database = WriterDatabase.open(directory, CATALOG, resources)) {
            RocksFactStore store = new RocksFactStore(database, 0, new DiskFailure());
            long sequence = store.lastCommit().version().sequence();
            assertThat(sequence).as("commits left").isLessThan(COMMITS);
            for (long id = 1; id <= COMMITS; id++) {
                assertThat(store.find("customers", customerKey(id)) != null)
                        .as("row %d with %d commits left", id, sequence)
                        .isEqualTo(id <= sequence);
            }
            assertThat(new RocksOutbox(database).readAfter(0, COMMITS, Long.MAX_VALUE))
                    .hasSize((int) sequence);
        } catch (FactsDamagedException e) {
            assertThat(e).hasMessageContaining("good copy");
        }
    }

    @Test
    void aFlippedByteInATableIsFoundByLookingThroughIt() throws Exception {
        write();
        WriterDatabase.open(directory, CATALOG, resources).close();

        FileDamage.FLIPPED.ofLargest(directory, ".sst");

        List<String> told = new ArrayList<>();
        try (WriterDatabase database = WriterDatabase.open(directory, CATALOG, resources)) {
            RocksChecksumScan checksumScan = new RocksChecksumScan(database.database(), told::add);
            checksumScan
                    .files()
                    .keySet()
                    .forEach(file -> checksumScan.look(file).ifPresent(checksumScan::damaged));
        }
        assertThat(told).singleElement().asString().contains(".sst");
    }

    @Test
    void whoReadsADamagedTableIsToldAndNoWriteIsTakenAfterThat() throws Exception {
        writeAndDelete();
        requireRecorded(database -> {
            try (FactSnapshot rows = database.facts().snapshot("customers")) {
                KeyedRow row = rows.next();
                while (row != null) {
                    row = rows.next();
                }
            } catch (FactsUnreadableException e) {
                assertThat(e).hasMessageContaining("put a good copy");
                throw e;
            }
        });
    }

    /** Only the relay reads them, and clients would go on writing what can never be published. */
    @Test
    void noWriteIsTakenAfterADamagedOutboxOrTombstonesWereRead() throws Exception {
        writeAndDelete();
        requireRecorded(database -> database.outbox().readAfter(0, 2 * COMMITS, Long.MAX_VALUE));
        requireRecorded(database -> database.tombstones().due(timeOf(2 * COMMITS), Optional.empty(), COMMITS));
    }

    /** Flips a byte of each file in turn: what a reading meets of it is recorded. */
    private void requireRecorded(Consumer<RocksFactDatabase> reading) throws Exception {
        int unreadable = 0;
        for (Path file : tableFiles()) {
            FileDamage.FLIPPED.applyTo(file);
            unreadable += succeeds(reading) ? 0 : 1;
            // The same bit again, which puts it right.
            FileDamage.FLIPPED.applyTo(file);
        }
        assertThat(unreadable).as("files with what is read").isPositive();
        assertThat(succeeds(reading)).isTrue();
    }

    /** Whether a reading finds no damage, as when that is elsewhere. */
    private boolean succeeds(Consumer<RocksFactDatabase> reading) throws Exception {
        FactsDamage damage = new FactsDamage();
        RocksFactDatabase.Memory memory = new RocksFactDatabase.Memory(8 << 20, 1 << 20, 0);
        try (RocksFactDatabase database = RocksFactDatabase.open(data, CATALOG, memory, damage)) {
            reading.accept(database);
            return true;
        } catch (StoreException | FactsUnreadableException e) {
            assertThat(damage.refusal())
                    .hasValueSatisfying(why -> assertThat(why).contains("put a good copy"));
            return false;
        } catch (FactsDamagedException e) {
            return true;
        }
    }

    private List<Path> tableFiles() throws IOException {
        return files().stream().filter(file -> file.toString().endsWith(".sst")).toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.toList();
        }
    }

    @ParameterizedTest
    @EnumSource(
            value = FileDamage.class,
            names = {"TRUNCATED", "MISSING"})
    void aTableThatIsNotWholeIsRefusedAndSaysWhatToDo(FileDamage damage) throws Exception {
        write();
        WriterDatabase.open(directory, CATALOG, resources).close();

        damage.ofLargest(directory, ".sst");

        assertThatThrownBy(() -> WriterDatabase.open(directory, CATALOG, resources))
                .isInstanceOf(FactsDamagedException.class)
                .hasMessageContaining("put a good copy of the fact tables back");
    }

    @Test
    void factTablesWithoutTheirManifestAreRefusedAndSayWhatToDo() throws Exception {
        write();
        for (Path file : files()) {
            if (file.getFileName().toString().startsWith("MANIFEST")) {
                Files.delete(file);
            }
        }

        assertThatThrownBy(() -> WriterDatabase.open(directory, CATALOG, resources))
                .isInstanceOf(FactsDamagedException.class)
                .hasMessageContaining("put a good copy of the fact tables back");
    }

    @Test
    void afterAWriteThatTheDiskDoesNotTakeNoOtherIsTaken() throws Exception {
        DiskFailure disk = new DiskFailure();
        String large = "x".repeat(1 << 20);
        try (WriterDatabase database = WriterDatabase.open(directory, CATALOG, resources)) {
            RocksFactStore store = new RocksFactStore(database, 0, disk);
            store.commit(batch(put(1, 1, "Oslo")));
            for (Path file : files()) {
                Files.delete(file);
            }
            Files.delete(directory);

            // The files that are open take some megabytes more; a new one cannot be made.
            assertThatThrownBy(() -> {
                        for (int sequence = 2; sequence <= COMMITS; sequence++) {
                            store.commit(batch(put(sequence, sequence, large)));
                        }
                    })
                    .isInstanceOf(StoreException.class);
            assertThat(disk.refusal()).hasValueSatisfying(why -> assertThat(why).contains("start again"));
            assertThat(store.find("customers", customerKey(1))).isNotNull();
        }
    }

    private void write() throws Exception {
        try (WriterDatabase database = WriterDatabase.open(directory, CATALOG, resources)) {
            RocksFactStore store = new RocksFactStore(database, 0, new DiskFailure());
            for (int sequence = 1; sequence <= COMMITS; sequence++) {
                store.commit(batch(put(sequence, sequence, "a town with some letters " + sequence)));
            }
        }
    }

    /** The same, and every second row is deleted again; all of it is in files of tables. */
    private void writeAndDelete() throws Exception {
        write();
        try (WriterDatabase database = WriterDatabase.open(directory, CATALOG, resources)) {
            RocksFactStore store = new RocksFactStore(database, 0, new DiskFailure());
            for (int id = 1; id < COMMITS; id += 2) {
                store.commit(batch(delete(COMMITS + id, id)));
            }
        }
        WriterDatabase.open(directory, CATALOG, resources).close();
    }
}
