package dev.tidemark.source;

import java.io.StringReader;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.postgresql.PGConnection;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** What a source does when it, its slot or its database fails. */
@ResourceLock("postgresql")
class SourceFailuresTest extends SourceTestCase {

    private RunningSource child(String... more) {
        return RunningSource.start(writer.url(), server().settings(database), more);
    }

    private void untilRows(int atLeast) {
        await().atMost(Duration.ofSeconds(30))
                .pollInterval(Duration.ofMillis(2))
                .until(() -> writer.count("items") >= atLeast);
    }

    private void copy(int from, int to) throws Exception {
        try (var connection = server().connect(database)) {
            String lines =
                    IntStream.range(from, to).mapToObj(n -> n + "\tname " + n).collect(Collectors.joining("\n"));
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY items FROM STDIN", new StringReader(lines));
        }
    }

    @Test
    void killsInSnapshotAndStreamNeitherLoseNorDoubleARow() throws Exception {
        writer.following("items", "public.items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text)",
                "INSERT INTO items SELECT n, 'name ' || n FROM generate_series(1, 12000) n");
        try (RunningSource killed = child()) {
            untilRows(2_000);
            killed.kill();
        }
        assertThat(writer.position().has("snapshot")).isTrue();
        sql("DELETE FROM items WHERE id <= 100");
        try (RunningSource killed = child()) {
            followed();
            int before = writer.puts();
            copy(100_001, 104_001);
            sql("INSERT INTO items SELECT n, 'name ' || n FROM generate_series(200001, 204000) n");
            untilRows(13_000);
            killed.kill();
            try (RunningSource last = child()) {
                followed();
                sameAs("items", "id");
                assertThat(writer.puts() - before).isEqualTo(8_000);
                assertThat(last.said()).doesNotContain("snapshot");
            }
        }
    }

    @Test
    void aLostSlotIsNamedAndHealedByASnapshotThatRemovesRows() throws Exception {
        writer.following("items", "public.items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name text)", "INSERT INTO items VALUES (1, 'a'), (2, 'b')");
        follow();
        followed();
        stop();
        sql("SELECT pg_drop_replication_slot('tidemark_shop')", "DELETE FROM items WHERE id = 1");
        try (RunningSource refusing = child()) {
            assertThat(refusing.exitCode()).isEqualTo(1);
            assertThat(refusing.said()).contains("the replication slot is gone").contains("--on-gap=snapshot");
        }
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 3).put("name", "stray"));
        sql("SELECT pg_create_logical_replication_slot('tidemark_shop', 'pgoutput')");
        follow("on.gap=snapshot");
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("was created again");
        stop();
    }

    @Test
    void aSlotThatIsLostSoonIsNamedAndSoIsOneThatIsLost() throws Exception {
        writer.following("items", "public.items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name text)", "ALTER SYSTEM SET max_slot_wal_keep_size = '20MB'");
        try {
            sql("SELECT pg_reload_conf()");
            follow();
            followed();
            await().atMost(Duration.ofSeconds(10))
                    .until(() -> said().contains("MiB more are written, by max_slot_wal_keep_size"));
            stop();
            for (int segment = 0; segment < 6; segment++) {
                sql("INSERT INTO items VALUES (" + segment + ", 'x')", "SELECT pg_switch_wal()");
            }
            sql("CHECKPOINT");
            try (RunningSource refusing = child()) {
                assertThat(refusing.exitCode()).isEqualTo(1);
                assertThat(refusing.said()).contains("the database has removed changes");
            }
        } finally {
            sql("ALTER SYSTEM RESET max_slot_wal_keep_size", "SELECT pg_reload_conf()");
        }
    }

    @Test
    void aSecondSourceEndsTheFirst() throws Exception {
        writer.following("items", "public.items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name text)");
        try (RunningSource first = child()) {
            followed();
            writer.moveOn();
            assertThat(first.exitCode()).isEqualTo(75);
            assertThat(first.said()).contains("another process feeds source shop");
        }
    }

    @Test
    void theWatermarkIsTrueWhileTheDatabaseStopsSendingAndTheSourceIsKilled() throws Exception {
        writer.following("items", "public.items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name text)");
        try (WatermarkProbe probe = new WatermarkProbe(server(), database, writer)) {
            try (RunningSource killed = child();
                    var open = server().connect(database)) {
                followed();
                open.setAutoCommit(false);
                open.createStatement().execute("INSERT INTO items VALUES (-1, 'open')");
                followed();
                long sender = server().number(
                                "postgres",
                                "SELECT pid FROM pg_stat_replication WHERE pid IN (SELECT"
                                        + " active_pid FROM pg_replication_slots WHERE database = '" + database + "')");
                signal("-STOP", sender);
                TimeUnit.MILLISECONDS.sleep(1_200);
                assertThat(probe.age()).isGreaterThan(Duration.ofSeconds(1));
                signal("-CONT", sender);
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

    private static void signal(String signal, long process) throws Exception {
        assertThat(new ProcessBuilder("kill", signal, Long.toString(process))
                        .start()
                        .waitFor())
                .isZero();
    }
}
