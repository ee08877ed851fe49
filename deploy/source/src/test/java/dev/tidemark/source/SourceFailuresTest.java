package dev.tidemark.source;

import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;
import org.postgresql.PGConnection;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.postgres.PostgresDatabase;
import dev.tidemark.source.testkit.PostgresServer;
import dev.tidemark.source.testkit.RunningSource;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/** The same with PostgreSQL, and what a source does when its slot fails. */
class SourceFailuresTest extends FailuresTestCase {
    @Override
    PostgresServer server() {
        return PostgresServer.shared("postgresql-failures");
    }

    @Override
    int insertMany() throws Exception {
        try (var connection = server().connect(database)) {
            String lines = IntStream.rangeClosed(100_001, 101_000)
                    .mapToObj(n -> n + "\tname " + n)
                    .collect(Collectors.joining("\n"));
            connection.unwrap(PGConnection.class).getCopyAPI().copyIn("COPY items FROM STDIN", new StringReader(lines));
        }
        sql(inserted(200_001, 201_000));
        return 2_000;
    }

    @Override
    void hinder(WatermarkProbe probe) throws Exception {
        for (String processes : List.of("backend_type = 'walsender'", "true")) {
            List<Long> suspended = backends(processes);
            suspended.forEach(process -> signal("-STOP", process));
            TimeUnit.MILLISECONDS.sleep(1_200);
            assertThat(probe.age()).isGreaterThan(Duration.ofSeconds(1));
            suspended.forEach(process -> signal("-CONT", process));
            followed();
        }
    }

    /** Processes of the server that are about this database. */
    private List<Long> backends(String condition) throws Exception {
        List<Long> found = new ArrayList<>();
        try (var connection = server().connect("postgres");
                var statement = connection.createStatement();
                var row = statement.executeQuery(
                        "SELECT pid FROM pg_stat_activity WHERE datname = '" + database + "' AND " + condition)) {
            while (row.next()) {
                found.add(row.getLong(1));
            }
        }
        assertThat(found).isNotEmpty();
        return found;
    }

    @Test
    void aLostSlotIsNamedAndHealedByASnapshotThatRemovesRows() throws Exception {
        items("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
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
    void aSlotOfAnotherDatabaseIsNamedAndStays() throws Exception {
        items("INSERT INTO items VALUES (1, 'a')");
        String other = server().newDatabase();
        try {
            server().sql(other, "SELECT pg_create_logical_replication_slot('tidemark_shop', 'pgoutput')");
            try (PostgresDatabase late = new PostgresDatabase(settings().database(), "tidemark_shop", "none", "none")) {
                late.prepareSnapshot();
            }
            follow();
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> said().contains("replication slot tidemark_shop is that of database " + other));
            assertThat(writer.batches()).isZero();
            server().sql(other, "SELECT pg_drop_replication_slot('tidemark_shop')");
            followed();
            sameAs("items", "id");
        } finally {
            server().dropDatabase(other);
        }
    }

    @Test
    void aSlotThatIsLostSoonIsNamedAndSoIsOneThatIsLost() throws Exception {
        items("ALTER SYSTEM SET max_slot_wal_keep_size = '20MB'");
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
    void aKillWhileAnAddedTableIsReadNeitherLosesARowNorReadsTheOthers() throws Exception {
        items(inserted(1, 100));
        sql(
                "CREATE TABLE more (id int PRIMARY KEY, name varchar(99))",
                "INSERT INTO more SELECT n, 'm' FROM " + "generate_series(1, 3000) n");
        try (RunningSource killed = child(SMALL_BATCHES)) {
            followed();
            following("more", "id");
            untilRows("more", 500);
            killed.kill();
        }
        assertThat(writer.position().has("snapshot")).isTrue();
        sql("DELETE FROM more WHERE id <= 100", "UPDATE more SET id = id + 9000 WHERE id > 2900", inserted(101, 200));
        try (RunningSource next = child(SMALL_BATCHES)) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> writer.watermarkOf("more").isPresent());
            followed();

            sameAs("more", "id");
            sameAs("items", "id");
            assertThat(next.said())
                    .contains("these tables are new: public.more")
                    .doesNotContain("public.items");
        }
        assertThat(writer.position().has("snapshot")).isFalse();
    }

    @Test
    void keysThatAreSwappedBeforeAnAddedTableIsReadDoNotSwapLongColumns() throws Exception {
        items();
        sql(
                "CREATE TABLE more (id int PRIMARY KEY, body text)",
                "ALTER TABLE more ALTER body SET STORAGE EXTERNAL",
                "INSERT INTO more SELECT n, repeat(chr(65 + n % 26), 3000) FROM generate_series(1, 3000) n");
        try (RunningSource killed = child(SMALL_BATCHES)) {
            followed();
            following("more", "id");
            untilRows("more", 500);
            killed.kill();
        }
        for (String move : List.of("9001 WHERE id = 1", "1 WHERE id = 2", "2 WHERE id = 9001")) {
            sql("UPDATE more SET id = " + move);
        }
        try (RunningSource next = child()) {
            await().atMost(Duration.ofSeconds(30))
                    .until(() -> writer.watermarkOf("more").isPresent());
            followed();

            sameAs("more", "id");
            assertThat(next.said()).contains("these tables are new: public.more");
        }
    }

    @Test
    void manyLargeRowsNeedLittleMemory() throws Exception {
        following("pages", "id");
        sql(
                "CREATE TABLE pages (id int PRIMARY KEY, body text)",
                "INSERT INTO pages SELECT n, repeat(md5(n::text), 3200) FROM generate_series(1, 1250) n");
        try (RunningSource source = child()) {
            followed(Duration.ofMinutes(3));
            assertThat(writer.count("pages")).isEqualTo(1_250);
            sql("UPDATE pages SET body = repeat(md5('n' || id), 3200) WHERE id <= 400");
            followed(Duration.ofMinutes(3));
            assertThat(writer.puts()).isEqualTo(1_650);
            assertThat(source.said()).doesNotContain("rying again");
        }
    }

    @Test
    void aSecondSourceEndsTheFirst() throws Exception {
        items();
        try (RunningSource first = child()) {
            followed();
            writer.moveOn();
            assertThat(first.exitCode()).isEqualTo(75);
            assertThat(first.said()).contains("another process feeds source shop");
        }
    }

    private static void signal(String signal, long process) {
        try {
            assertThat(new ProcessBuilder("kill", signal, Long.toString(process))
                            .start()
                            .waitFor())
                    .isZero();
        } catch (IOException | InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
