package dev.tidemark.deploy.fuzz;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Random;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.rocks.RocksDefinitionStore;
import dev.tidemark.writer.rocks.RocksFactStore;
import dev.tidemark.writer.rocks.RocksOutbox;
import dev.tidemark.writer.rocks.RocksTombstones;
import dev.tidemark.writer.rocks.RocksTopicLedger;
import dev.tidemark.writer.rocks.WriterDatabase;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.WriterStores;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever is accepted can be read back, by everybody who reads it. */
class RowJourneyTest {
    private static final int BODIES = 3_000;
    private static final int BODIES_ON_DISK = 150;

    @TempDir
    private Path directory = Path.of("");

    @Test
    void everythingThatIsAcceptedReadsBackEqual() throws Exception {
        RowJourney journey = new RowJourney(WriterStores.on(new InMemoryDisk()));

        assertThat(accepted(journey, BODIES)).isBetween(BODIES / 10, BODIES * 9 / 10);
    }

    @Test
    void soDoesWhatIsAtTheLimitsOfDepthWidthAndLength() throws Exception {
        RowJourney journey = new RowJourney(WriterStores.on(new InMemoryDisk()));
        int accepted = 0;
        for (byte[] body : RandomBodies.atTheLimits()) {
            accepted += travels(journey, body, "a body at a limit") ? 1 : 0;
        }

        assertThat(accepted).isBetween(7, RandomBodies.atTheLimits().size() - 4);
    }

    @Test
    void soDoesWhatWasStoredInADatabase() throws Exception {
        try (RocksResources resources = new RocksResources(8 << 20, 1 << 20, 2, what -> {});
                WriterDatabase database = WriterDatabase.open(
                        directory.resolve("facts"), CatalogReader.read("journey", RowJourney.CATALOG), resources)) {
            RowJourney journey = new RowJourney(new WriterStores(
                    new RocksFactStore(database, 0, new DiskFailure()),
                    new RocksOutbox(database),
                    new RocksTombstones(database),
                    new RocksTopicLedger(database),
                    new RocksDefinitionStore(database)));

            assertThat(accepted(journey, BODIES_ON_DISK)).isPositive();
        }
    }

    private static int accepted(RowJourney journey, int bodies) throws Exception {
        long first = Long.getLong("journey.seed", System.nanoTime());
        int accepted = 0;
        for (long seed = first; seed < first + bodies; seed++) {
            accepted += travels(journey, new RandomBodies(new Random(seed)).next(), "seed " + seed) ? 1 : 0;
        }
        return accepted;
    }

    private static boolean travels(RowJourney journey, byte[] body, String which) {
        try {
            return journey.travel(body);
        } catch (Exception | AssertionError e) {
            String text = new String(body, StandardCharsets.UTF_8);
            throw new AssertionError(which + ": " + text.substring(0, Math.min(text.length(), 2_000)), e);
        }
    }
}
