package dev.tidemark.source;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.testkit.MariaDbServer;
import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The same with MariaDB, and what a source does when its binary log fails. */
@ResourceLock("mariadb")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("MariaDB")
class MariaDbFailuresTest extends FailuresTestCase {

    @Override
    MariaDbServer server() {
        return MariaDbServer.shared();
    }

    @Override
    int insertMany() {
        sql(inserted(100_001, 101_000), inserted(200_001, 201_000), "FLUSH BINARY LOGS", inserted(300_001, 300_010));
        return 2_010;
    }

    @Override
    void hinder(WatermarkProbe probe) throws Exception {
        sql("KILL "
                + server().number(
                                "mysql",
                                "SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND LIKE 'Binlog Dump%'"));
        followed();
        try (var locks = server().connect("tidemark")) {
            locks.createStatement().execute("LOCK TABLES markers READ");
            TimeUnit.MILLISECONDS.sleep(1_200);
            assertThat(probe.age()).isGreaterThan(Duration.ofSeconds(1));
        }
    }

    /** The server keeps a file for as long as it takes it to be read. */
    private boolean purged(String file) throws Exception {
        sql("FLUSH BINARY LOGS", "PURGE BINARY LOGS BEFORE NOW() + INTERVAL 1 DAY");
        try (var connection = server().connect(database);
                var first = connection.createStatement().executeQuery("SHOW BINARY LOGS")) {
            return first.next() && first.getString(1).compareTo(file) > 0;
        }
    }

    @Test
    void aPurgedBinaryLogIsNamedAndHealedByASnapshotThatRemovesRows() throws Exception {
        items("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
        follow();
        followed();
        stop();
        String file = RowJson.mapper()
                .readTree(writer.position().path("offset").asText())
                .path("file")
                .asText();
        sql("DELETE FROM items WHERE id = 1", "FLUSH BINARY LOGS");
        await().atMost(Duration.ofSeconds(30)).until(() -> purged(file));
        try (RunningSource refusing = child()) {
            assertThat(refusing.exitCode()).isEqualTo(1);
            assertThat(refusing.said()).contains("no longer has its binary log").contains("--on-gap=snapshot");
        }
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 3).put("name", "stray"));
        follow("on.gap=snapshot");
        followed();
        sameAs("items", "id");
        stop();
        sql("RESET MASTER", inserted(10, 2_000));
        said.reset();
        follow("on.gap=snapshot");
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("binary log");
    }

    @Test
    void aSecondSourceWaitsAndOneThatWasReplacedEnds() throws Exception {
        items();
        try (RunningSource first = child();
                RunningSource second = child()) {
            followed();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> (first.said() + second.said()).contains("another process reads"));
            writer.moveOn();
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> (first.said() + second.said()).contains("another process feeds source shop"));
        }
    }

    @Test
    void columnsThatChangedWhileNoProcessFollowedLeadToASnapshot() throws Exception {
        items("INSERT INTO items VALUES (1, 'a')");
        follow();
        followed();
        followed();
        stop();
        sql("INSERT INTO items VALUES (2, 'b')", "ALTER TABLE items ADD later int FIRST", "UPDATE items SET later = 5");
        said.reset();
        follow();
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("columns were changed while no process followed them");
    }

    @Test
    void aServerThatIsKilledIsFollowedOn() throws Exception {
        items("INSERT INTO items VALUES (1, 'a')");
        follow();
        followed();
        server().restart();
        sql("INSERT INTO items VALUES (2, 'b')");
        followed();
        sameAs("items", "id");
    }
}
