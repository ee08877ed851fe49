package dev.tidemark.source;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a source does when it, the binary log or a MariaDB fails. */
@ResourceLock("mariadb")
class MariaDbFailuresTest extends MariaDbTestCase {
    private static final String MANY = "INSERT INTO items SELECT seq, CONCAT('name ', seq) FROM seq_";

    private RunningSource child(String... more) {
        return RunningSource.start(writer.url(), server().settings(database), more);
    }

    private void untilRows(int atLeast) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> writer.count("items") >= atLeast);
    }

    private void table(String... statements) {
        following("items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name varchar(99))");
        sql(statements);
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
    void killsInSnapshotAndStreamNeitherLoseNorDoubleARow() throws Exception {
        table(MANY + "1_to_12000");
        try (RunningSource killed = child()) {
            untilRows(2_000);
            killed.kill();
        }
        assertThat(writer.position().has("snapshot")).isTrue();
        sql("DELETE FROM items WHERE id <= 100");
        try (RunningSource killed = child()) {
            followed();
            followed();
            int before = writer.puts();
            sql(MANY + "100001_to_104000", MANY + "200001_to_204000", "FLUSH BINARY LOGS", MANY + "300001_to_300010");
            untilRows(13_000);
            killed.kill();
            try (RunningSource last = child()) {
                followed();
                sameAs("items", "id");
                assertThat(writer.puts() - before).isEqualTo(8_010);
                assertThat(last.said()).doesNotContain("snapshot");
            }
        }
    }

    @Test
    void aPurgedBinaryLogIsNamedAndHealedByASnapshotThatRemovesRows() throws Exception {
        table("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
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
        sql("RESET MASTER", MANY + "10_to_2000");
        said.reset();
        follow("on.gap=snapshot");
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("binary log");
    }

    @Test
    void aSecondSourceWaitsAndOneThatWasReplacedEnds() throws Exception {
        table();
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
        table("INSERT INTO items VALUES (1, 'a')");
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
        table("INSERT INTO items VALUES (1, 'a')");
        follow();
        followed();
        server().restart();
        sql("INSERT INTO items VALUES (2, 'b')");
        followed();
        sameAs("items", "id");
    }

    @Test
    void theWatermarkIsTrueWhileTheServerEndsStreamsAndTheSourceIsKilled() throws Exception {
        table();
        try (WatermarkProbe probe = new WatermarkProbe(server(), database, writer)) {
            try (RunningSource killed = child();
                    var open = server().connect(database)) {
                followed();
                open.setAutoCommit(false);
                open.createStatement().execute("INSERT INTO items VALUES (-1, 'open')");
                followed();
                sql(
                        "KILL "
                                + server().number(
                                                "mysql",
                                                "SELECT ID FROM information_schema.PROCESSLIST WHERE COMMAND LIKE 'Binlog Dump%'"));
                followed();
                try (var locks = server().connect("tidemark")) {
                    locks.createStatement().execute("LOCK TABLES markers READ");
                    TimeUnit.MILLISECONDS.sleep(1_200);
                    assertThat(probe.age()).isGreaterThan(Duration.ofSeconds(1));
                }
                followed();
                open.commit();
                killed.kill();
            }
            try (RunningSource next = child()) {
                followed();
                assertThat(probe.tooSmall()).isEmpty();
                assertThat(probe.written()).isGreaterThan(50);
                assertThat(next.said()).doesNotContain("snapshot");
            }
        }
    }
}
