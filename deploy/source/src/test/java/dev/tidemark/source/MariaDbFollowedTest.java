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
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.source.feed.Columns;
import dev.tidemark.source.feed.Database;
import dev.tidemark.source.mariadb.MariaDbDatabase;
import dev.tidemark.source.testkit.MariaDbServer;

import static org.assertj.core.api.Assertions.assertThat;

@ResourceLock("mariadb")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("MariaDB")
class MariaDbFollowedTest extends FollowedTestCase {

    @Override
    MariaDbServer server() {
        return MariaDbServer.shared();
    }

    @Override
    String between() {
        return " AFTER id";
    }

    @Override
    String oddTable() {
        return "`" + database + "`.`My table`";
    }

    @Test
    void rowsThatGetValuesWhereTheyHadNoneAreReadAgain() throws Exception {
        following("items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, a int, b int, c int, KEY (b))",
                "INSERT INTO items (id) VALUES (1), (2)");
        follow();
        followed();
        for (String change : List.of(
                "MODIFY a int NOT NULL", "MODIFY b int AUTO_INCREMENT", "DROP PRIMARY KEY, ADD PRIMARY KEY (id, c)")) {
            sql("SET sql_mode = ''", "ALTER TABLE items " + change);
            followed();
            sameAs("items", "id");
        }
    }

    @Test
    void rowsOfATransactionThatIsRolledBackAreNotThere() throws Exception {
        items("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
        follow();
        followed();
        int puts = writer.puts();
        sql(
                "BEGIN",
                "INSERT INTO items VALUES (3, 'c')",
                "DELETE FROM items WHERE id = 1",
                "CREATE TEMPORARY TABLE other (id int)",
                "DROP TEMPORARY TABLE other",
                "ROLLBACK");
        followed();
        sameAs("items", "id");
        assertThat(writer.puts()).isEqualTo(puts);
        assertThat(said()).doesNotContain("rolled back");
    }

    @Test
    void rowsOfALargeTransactionThatIsRolledBackAreRemoved() throws Exception {
        following("items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, big text)", "INSERT INTO items VALUES (1, 'a')");
        follow();
        followed();
        sql(
                "BEGIN",
                "INSERT INTO items SELECT seq, REPEAT('x', 9000) FROM " + server().numbers(10, 200),
                "DROP TEMPORARY TABLE IF EXISTS other",
                "ROLLBACK");
        followed();
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("a transaction was rolled back");
    }

    @Test
    void rowsOfPreparedTransactionsAreThere() throws Exception {
        items();
        follow();
        followed();
        sql(
                "XA START 'two'",
                "INSERT INTO items VALUES (1, 'a')",
                "XA END 'two'",
                "XA PREPARE 'two'",
                "XA COMMIT 'two'",
                "XA START 'one'",
                "INSERT INTO items VALUES (2, 'b')",
                "XA END 'one'",
                "XA COMMIT 'one' ONE PHASE");
        followed();
        sameAs("items", "id");
        assertThat(said()).doesNotContain("rying again").doesNotContain("rolled back");
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
        sql("REPLACE INTO items VALUES (101, 'replaced')");
        followed();
        sameAs("items", "id");
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
}
