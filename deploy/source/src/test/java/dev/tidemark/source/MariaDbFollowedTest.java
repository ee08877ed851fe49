package dev.tidemark.source;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.source.feed.Columns;
import dev.tidemark.source.feed.Database;
import dev.tidemark.source.mariadb.MariaDbDatabase;

import static org.assertj.core.api.Assertions.assertThat;

/** Every kind of change of a MariaDB reaches the writer. */
@ResourceLock("mariadb")
class MariaDbFollowedTest extends MariaDbTestCase {

    @Test
    void rowsFollowEveryKindOfChange() throws Exception {
        following("items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text, price decimal(8,2), big longtext)",
                "INSERT INTO items SELECT seq, CONCAT('item ', seq), seq + 0.50, REPEAT('x', 3000) FROM seq_1_to_100");
        follow();
        followed();
        sameAs("items", "id");
        sql(
                "INSERT INTO items VALUES (101, NULL, 1.10, 'short')",
                "UPDATE items SET name = 'kept' WHERE id = 1",
                "UPDATE items SET id = 1002 WHERE id = 2",
                "UPDATE items SET id = 1003, name = 'both' WHERE id = 3",
                "REPLACE INTO items VALUES (5, 'replaced', 5, '')",
                "DELETE FROM items WHERE id = 4",
                "BEGIN",
                "UPDATE items SET id = id + 5000 WHERE id BETWEEN 10 AND 20",
                "DELETE FROM items WHERE id = 5010",
                "COMMIT");
        followed();
        sameAs("items", "id");
        sql("TRUNCATE items", "INSERT INTO items VALUES (7, 'after', 1, 'b')");
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("snapshot ended: 100 rows").doesNotContain("rying again");
    }

    @Test
    void changedColumnsLeadToTheRowsOfTheDatabase() throws Exception {
        following("items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text, gone int)",
                "INSERT INTO items SELECT seq, CONCAT('item ', seq), seq FROM seq_1_to_10");
        follow();
        followed();
        sql("ALTER TABLE items ADD later text AFTER id", "UPDATE items SET later = 'x' WHERE id = 1");
        followed();
        sql("ALTER TABLE items ADD extra json", "UPDATE items SET extra = '{\"a\": [1]}' WHERE id = 2");
        followed();
        assertThat(writer.row("items", "2").path("extra").path("a").path(0).asInt())
                .isEqualTo(1);
        assertThat(said()).doesNotContain("columns were changed");
        sql(
                "ALTER TABLE items ADD preset int DEFAULT 5",
                "ALTER TABLE items ALTER preset DROP DEFAULT",
                "ALTER TABLE items DROP gone",
                "ALTER TABLE items RENAME COLUMN name TO title");
        followed();
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("columns were changed");
    }

    @Test
    void columnsThatAreReadWhileTheyChangeAreThoseOfBeforeOrAfter() throws Exception {
        sql("CREATE TABLE items (id int PRIMARY KEY)");
        AtomicBoolean changing = new AtomicBoolean(true);
        Map<String, String> settings = new HashMap<>();
        server().settings(database).forEach((name, value) -> settings.put(name.replace("database.", ""), value));
        Future<Set<String>> read = CompletableFuture.supplyAsync(() -> {
            Set<String> types = new TreeSet<>();
            try (MariaDbDatabase columns = new MariaDbDatabase(settings, "reader", database + ".markers")) {
                while (changing.get()) {
                    types.add(columns.columns(List.of(database + ".items")).columns().values().stream()
                            .map(Columns.Column::type)
                            .toList()
                            .toString());
                }
                return types;
            } catch (Database.DatabaseException e) {
                throw new IllegalStateException(e);
            }
        });
        for (int i = 0; i < 50; i++) {
            sql("ALTER TABLE items ADD extra json", "ALTER TABLE items DROP extra, ALGORITHM=COPY");
        }
        changing.set(false);
        assertThat(read.get(30, TimeUnit.SECONDS)).containsExactly("[int(11)]", "[json, int(11)]");
    }

    @Test
    void rowsThatGoWithoutAChangeOfEachAreGone() throws Exception {
        following("items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text) PARTITION BY RANGE (id)"
                        + " (PARTITION low VALUES LESS THAN (100), PARTITION high VALUES LESS THAN (200))",
                "INSERT INTO items VALUES (1, 'a'), (101, 'b')");
        follow();
        followed();
        sql("ALTER TABLE items TRUNCATE PARTITION low");
        followed();
        followed();
        assertThat(writer.rows("items").keySet()).containsExactly("101");
        sql(
                "CREATE TABLE other LIKE items",
                "INSERT INTO other VALUES (5, 'c')",
                "RENAME TABLE items TO old, other TO items");
        followed();
        followed();
        assertThat(writer.rows("items").keySet()).containsExactly("5");
    }

    @Test
    void keysOfSeveralColumnsAndOddNamesAreFollowed() throws Exception {
        following("lines", "a", "b");
        writer.following("others", database + ".My table", "id");
        sql(
                "CREATE TABLE `lines` (a int, b varchar(9), n int, PRIMARY KEY (a, b))",
                "CREATE TABLE `My table` (id varchar(9) PRIMARY KEY, `odd name` int)",
                "INSERT INTO `lines` VALUES (1, 'x', 1), (1, 'y', 2)",
                "INSERT INTO `My table` VALUES ('k', 1)");
        follow();
        followed();
        sql("UPDATE `lines` SET b = 'z', n = 3 WHERE b = 'x'", "UPDATE `My table` SET `odd name` = 2");
        followed();
        assertThat(writer.rows("lines").keySet()).containsExactly("1,\"y\"", "1,\"z\"");
        assertThat(writer.row("others", "\"k\"").toString()).isEqualTo("{\"id\":\"k\",\"odd name\":2}");
        assertThat(said()).doesNotContain("rying again");
    }

    @Test
    void answersThatAreLostDoubleNothing() throws Exception {
        following("items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name text)");
        follow();
        followed();
        writer.loseAnswers();
        for (int id = 0; id < 30; id++) {
            sql("INSERT INTO items VALUES (" + id + ", 'x')");
        }
        followed();
        sameAs("items", "id");
        assertThat(writer.puts()).isEqualTo(30);
    }
}
