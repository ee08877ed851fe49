package dev.tidemark.writer.postgres;

import java.nio.file.Files;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactsUnavailableException;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.recovery.EpochRecovery;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static dev.tidemark.writer.testkit.TestTables.timeOf;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A copy of the database that may lack commits begins a new epoch. */
class OtherCopyTest {
    private final TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
    private FactsSettings settings = server.database();

    @AfterEach
    void giveBack() {
        server.giveBack(settings);
    }

    @Test
    void theSameCopyStaysInItsEpoch() throws Exception {
        commit(2);

        assertThat(recovered(version(2))).isEqualTo(version(2));
    }

    @Test
    void anOlderCopyBeginsANewEpoch() throws Exception {
        commit(1);
        FactsSettings copy = server.newDatabase("TEMPLATE " + TestServer.name(settings));
        try (PostgresFactDatabase database = PostgresFixture.open(settings)) {
            database.facts().commit(batch(put(2, 2, "b")));
        }
        server.giveBack(settings);
        settings = copy;

        assertThat(recovered(version(2))).isEqualTo(new RowVersion(2, 1));
    }

    @Test
    void aCopyOnAnotherServerBeginsANewEpochOnce() throws Exception {
        commit(2);
        server.execute(settings, "UPDATE tidemark.writer SET system_identifier = '7'");

        assertThat(recovered(version(1))).isEqualTo(new RowVersion(2, 2));
        assertThat(recovered(new RowVersion(2, 2))).isEqualTo(new RowVersion(2, 2));
    }

    @Test
    void aPromotedStandbyBeginsANewEpochAndEndsTheWriterThatRuns() throws Exception {
        try (PostgresFactDatabase running = PostgresFixture.open(settings)) {
            running.facts().commit(batch(put(1, 1, "a"), put(2, 2, "b")));
            server.stop("fast");
            Files.createFile(server.directory().resolve("standby.signal"));
            server.start();
            server.execute(settings, "SELECT pg_promote()");

            assertThatThrownBy(() -> running.facts().commit(batch(put(3, 3, "c"))))
                    .isInstanceOf(FactsUnavailableException.class);
            assertThat(running.failure())
                    .hasValueSatisfying(why -> assertThat(why).contains("another copy of the database"));
        }

        assertThat(recovered(version(2))).isEqualTo(new RowVersion(2, 2));
    }

    private void commit(int sequences) {
        try (PostgresFactDatabase database = PostgresFixture.open(settings)) {
            for (int i = 1; i <= sequences; i++) {
                database.facts().commit(batch(put(i, i, "a")));
            }
        }
    }

    /** The version from which a writer goes on that saw that one before. */
    private RowVersion recovered(RowVersion seen) throws Exception {
        try (PostgresFactDatabase database = PostgresFixture.open(settings)) {
            EpochRecovery.run(
                    database.facts(),
                    database.ledger(),
                    Optional.of(new CommitPosition(seen, timeOf(seen.sequence()))),
                    database.isOtherCopy());
            return database.facts().lastCommit().version();
        }
    }
}
