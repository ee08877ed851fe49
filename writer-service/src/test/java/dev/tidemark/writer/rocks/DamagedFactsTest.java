package dev.tidemark.writer.rocks;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.rocks.RocksChecksumScan;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.testkit.FileDamage;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.commit.KeyedRow;

import static dev.tidemark.writer.testkit.TestTables.CATALOG;
import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Real damage to the files of closed fact tables: it is refused, or seen, or leaves a whole older state. */
class DamagedFactsTest {
    private static final int COMMITS = 400;

    private final RocksResources resources = new RocksResources(8 << 20, 1 << 20, 2);

    @TempDir
    private Path directory = Path.of("");

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
            RocksFactStore store = new RocksFactStore(database, 0);
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
        write();
        WriterDatabase.open(directory, CATALOG, resources).close();

        int unreadable = 0;
        for (Path file : tableFiles()) {
            FileDamage.FLIPPED.applyTo(file);
            unreadable += readsAllRows() ? 0 : 1;
            // The same bit again, which puts it right.
            FileDamage.FLIPPED.applyTo(file);
        }

        assertThat(unreadable).as("files with rows").isPositive();
        assertThat(readsAllRows()).isTrue();
    }

    /** Whether all rows can be read; false where they are refused by name. True for damage elsewhere. */
    private boolean readsAllRows() throws Exception {
        FactsDamage damage = new FactsDamage();
        try (WriterDatabase database = WriterDatabase.open(directory, CATALOG, resources);
                FactSnapshot rows = new GuardedFactStore(new RocksFactStore(database, 0), damage, new DiskFailure())
                        .snapshot("customers")) {
            KeyedRow row = rows.next();
            while (row != null) {
                row = rows.next();
            }
            return true;
        } catch (FactsUnreadableException e) {
            assertThat(e).hasMessageContaining("put a good copy");
            assertThat(damage.refusal()).contains(String.valueOf(e.getMessage()));
            return false;
        } catch (FactsDamagedException e) {
            return true;
        }
    }

    private List<Path> tableFiles() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".sst")).toList();
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

    private void write() throws Exception {
        try (WriterDatabase database = WriterDatabase.open(directory, CATALOG, resources)) {
            RocksFactStore store = new RocksFactStore(database, 0);
            for (int sequence = 1; sequence <= COMMITS; sequence++) {
                store.commit(batch(put(sequence, sequence, "a town with some letters " + sequence)));
            }
        }
    }
}
