package dev.tidemark.writer.rocks;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.Placement;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;
import dev.tidemark.writer.testkit.StoreFixture;
import dev.tidemark.writer.testkit.TombstonesContract;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.delete;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static org.assertj.core.api.Assertions.assertThat;

class RocksTombstonesTest extends TombstonesContract {
    @TempDir
    private Path directory = Path.of("");

    @Override
    protected StoreFixture open() {
        return new RocksFixture(directory);
    }

    @Test
    void oneLookDoesNotWalkOverAllThatAreLeftOut() {
        DerivedTable home = new DerivedTable("customers", "by_town", 7);
        long last = 6L + RocksTombstones.MOST_LOOKED_AT;
        CommittedChange[] deletes = LongStream.rangeClosed(6, last)
                .mapToObj(sequence -> sequence == last
                        ? delete(sequence, sequence).placed(List.of(new Placement(home, 1, false)))
                        : delete(sequence, sequence))
                .toArray(CommittedChange[]::new);
        try (StoreFixture many = new RocksFixture(directory.resolve("many"))) {
            many.stores().facts().commit(batch(deletes));
            Tombstones tombstones = many.stores().tombstones();

            for (int round = 0; round < 2; round++) {
                assertThat(tombstones.due(timeOf(last), Set.of("customers"), 10))
                        .isEmpty();
                assertThat(tombstones.due(timeOf(last), Set.of("customers"), 10))
                        .extracting(Tombstone::table)
                        .containsExactly(home.name());
            }
            assertThat(tombstones.due(timeOf(last), Set.of(), 1))
                    .extracting(tombstone -> tombstone.version().sequence())
                    .containsExactly(6L);
        }
    }
}
