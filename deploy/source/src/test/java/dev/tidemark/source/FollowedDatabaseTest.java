package dev.tidemark.source;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.postgres.PostgresDatabase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

@ResourceLock("postgresql")
class FollowedDatabaseTest extends FollowedTestCase {

    @Override
    void leaveOut(String table, String column) {
        sql("ALTER TABLE " + table + " ALTER " + column + " SET STORAGE EXTERNAL");
    }

    @Test
    void aTableThatIsAddedIsReadAloneOnceOlderTransactionsEnd() throws Exception {
        items("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
        follow();
        followed();
        writer.plant("items", RowJson.mapper().createObjectNode().put("id", 9).put("name", "left alone"));
        sql(
                "CREATE TABLE more (id int PRIMARY KEY, name text)",
                "INSERT INTO more SELECT n, 'm' FROM generate_series(1, 500) n");
        int before = writer.puts();
        following("more", "id");
        writer.plant("more", RowJson.mapper().createObjectNode().put("id", 999).put("name", "stray"));
        try (var open = server().connect(database)) {
            open.setAutoCommit(false);
            open.createStatement().execute("INSERT INTO more VALUES (501, 'began before')");
            await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("transactions have not ended"));
            sql("UPDATE items SET name = 'c' WHERE id = 1", "UPDATE more SET name = 'x' WHERE id = 7");
            open.commit();
        }
        await().atMost(Duration.ofSeconds(20))
                .until(() -> writer.watermarkOf("more").isPresent());
        followed();
        sameAs("more", "id");
        sql("DELETE FROM more WHERE id < 300", "UPDATE items SET name = 'd' WHERE id = 2");
        followed();

        sameAs("more", "id");
        assertThat(writer.row("items", "1").path("name").asText()).isEqualTo("c");
        assertThat(writer.row("items", "2").path("name").asText()).isEqualTo("d");
        assertThat(writer.rows("items")).containsKey("9");
        // 501 rows of the new table, two changes of the other, and at most two that the stream repeats.
        assertThat(writer.puts() - before).isBetween(503, 505);
        assertThat(said()).contains("these tables are new: public.more");
    }

    /** Rows of the new table go into no publication, which has tables by their number. */
    private static final String[] REPLACE = {
        "BEGIN", "ALTER TABLE items RENAME TO items_old", "CREATE TABLE items (LIKE items_old INCLUDING ALL)", "COMMIT"
    };

    @Test
    void aTableThatIsReplacedUnderItsNameIsReadAgain() throws Exception {
        items("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
        follow();
        followed();
        sql(REPLACE);
        sql("INSERT INTO items VALUES (3, 'c')");
        followed();
        sameAs("items", "id");
        stop();
        sql("DROP TABLE items_old");
        sql(REPLACE);
        sql("INSERT INTO items VALUES (4, 'd')");
        follow();
        followed();
        sameAs("items", "id");
        sql("UPDATE items SET name = 'e'");
        followed();
        sameAs("items", "id");
    }

    @Test
    void tablesWhoseChangesWereNotPublishedAreReadAgain() throws Exception {
        items("INSERT INTO items VALUES (1, 'a')");
        follow();
        followed();
        sql("ALTER PUBLICATION tidemark_shop DROP TABLE items", "UPDATE items SET name = 'b'");
        followed();
        sameAs("items", "id");
        sql("ALTER PUBLICATION tidemark_shop SET (publish = 'insert')", "UPDATE items SET name = 'c'");
        followed();
        sameAs("items", "id");
        stop();
        sql(
                "ALTER PUBLICATION tidemark_shop DROP TABLE items",
                "UPDATE items SET name = 'd'",
                "ALTER PUBLICATION tidemark_shop ADD TABLE items");
        follow();
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("not published");
    }

    @Test
    void aPublicationThatLeavesRowsOrColumnsOutIsRefused() throws Exception {
        items("INSERT INTO items VALUES (1, 'a')");
        follow();
        followed();
        for (String part : List.of("items WHERE (id > 1)", "items (id)")) {
            said.reset();
            sql("ALTER PUBLICATION tidemark_shop SET TABLE " + part, "UPDATE items SET name = name || 'b'");
            await().atMost(Duration.ofSeconds(20))
                    .until(() -> said().contains("tidemark_shop does not publish all changes of public.items"));
            sql("ALTER PUBLICATION tidemark_shop SET TABLE items");
            followed();
            sameAs("items", "id");
        }
    }

    @Test
    void longValuesAreKeptWhereTheKeyComesAsAFormerRow() throws Exception {
        following("pages", "id");
        sql(
                "CREATE TABLE pages (id int PRIMARY KEY, tenant text NOT NULL, body text)",
                "CREATE UNIQUE INDEX of_tenant ON pages (id, tenant)",
                "ALTER TABLE pages REPLICA IDENTITY USING INDEX of_tenant");
        leaveOut("pages", "body");
        leaveOut("pages", "tenant");
        sql("INSERT INTO pages VALUES (1, 'a', repeat('x', 3000)), (2, repeat('t', 2500), repeat('y', 3000))");
        follow();
        followed();
        sql("UPDATE pages SET tenant = 'b' WHERE id = 1", "UPDATE pages SET id = 3 WHERE id = 2");
        followed();
        sameAs("pages", "id");
    }

    @Test
    void aTableFromWhichOthersInheritIsRefused() throws Exception {
        items("INSERT INTO items VALUES (1, 'a')");
        follow();
        followed();
        sql("CREATE TABLE later () INHERITS (items)", "INSERT INTO later VALUES (2, 'b')");
        await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("from which others inherit"));
        sql("DROP TABLE later");
        followed();
        sameAs("items", "id");
    }

    @Test
    void generatedColumnsAreInNoRowUntilTheyAreOrdinaryOnes() throws Exception {
        following("people", "id");
        sql(
                "CREATE TABLE people (id int PRIMARY KEY, mail text, small text GENERATED ALWAYS AS (lower(mail)) STORED)",
                "INSERT INTO people (id, mail) VALUES (1, 'A'), (2, 'B')");
        follow();
        followed();
        sql("INSERT INTO people (id, mail) VALUES (3, 'C')", "UPDATE people SET mail = 'D' WHERE id = 2");
        followed();
        assertThat(writer.rows("people").values())
                .asString()
                .isEqualTo("[{\"id\":1,\"mail\":\"A\"}, {\"id\":2,\"mail\":\"D\"}, {\"id\":3,\"mail\":\"C\"}]");
        assertThat(said()).contains("column public.people.small is generated").doesNotContain("rying again");
        sql("ALTER TABLE people ALTER small DROP EXPRESSION", "INSERT INTO people VALUES (4, 'E', 'e')");
        followed();
        sameAs("people", "id");
    }

    @Test
    void aGeneratedColumnInTheKeyOfTheCatalogIsRefused() throws Exception {
        following("people", "small");
        sql(
                "CREATE TABLE people (mail text, small text GENERATED ALWAYS AS (lower(mail)) STORED PRIMARY KEY)",
                "INSERT INTO people VALUES ('A')");
        follow();
        await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("generated"));
        assertThat(said()).contains("the primary key of public.people in the catalog has columns that are generated");
        assertThat(writer.batches()).isZero();
    }

    @Test
    void rowsAreReadAgainAfterChangesLackedTheirKeys() throws Exception {
        items("INSERT INTO items VALUES (1, 'a'), (5, 'b')");
        follow();
        followed();
        sql(
                "ALTER TABLE items DROP CONSTRAINT items_pkey, ALTER name SET NOT NULL, ADD PRIMARY KEY (name)",
                "UPDATE items SET id = 2 WHERE id = 1",
                "DELETE FROM items WHERE id = 5");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> said().contains("updates and deletes of public.items do not send id"));
        stop();
        sql("ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (id)");
        follow();
        followed();
        sameAs("items", "id");
        stop();
        sql(
                "ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (name)",
                "UPDATE items SET id = 3",
                "ALTER TABLE items REPLICA IDENTITY FULL");
        follow();
        followed();
        sameAs("items", "id");
    }

    @Test
    void aTableWithoutAnIdentityIsRefusedAndItsRowsCanBeChanged() throws Exception {
        following("items", "id");
        sql("CREATE TABLE items (id int NOT NULL, name text)", "INSERT INTO items VALUES (1, 'a'), (2, 'b')");
        follow();
        await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("do not send id"));
        sql("UPDATE items SET name = 'c' WHERE id = 1", "DELETE FROM items WHERE id = 2");
        sql("ALTER TABLE items REPLICA IDENTITY FULL");
        followed();
        sql("UPDATE items SET id = 4 WHERE id = 1");
        followed();
        sameAs("items", "id");
    }

    @Test
    void aKeyThatAStatementCanSwapIsRefused() throws Exception {
        following("items", "id");
        sql(
                "CREATE TABLE items (id int, tenant int, name text, PRIMARY KEY (id) DEFERRABLE, UNIQUE (id, tenant))",
                "ALTER TABLE items REPLICA IDENTITY FULL",
                "INSERT INTO items VALUES (1, 1, 'a'), (2, 2, 'b')");
        follow();
        await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("or its constraint is deferrable"));
        sql("UPDATE items SET id = 3 - id");
        sql("ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (id)");
        followed();
        sameAs("items", "id");
        said.reset();
        sql("ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (id) DEFERRABLE");
        sql("UPDATE items SET id = 3 - id");
        await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("or its constraint is deferrable"));
        sql("ALTER TABLE items DROP CONSTRAINT items_pkey, ADD PRIMARY KEY (id)");
        followed();
        sameAs("items", "id");
    }

    @Test
    void aKeyThatAStatementCanSwapIsRefusedAlsoWhereOtherKeysHoldItsColumns() throws Exception {
        following("items", "a", "b");
        sql(
                "CREATE TABLE items (a int NOT NULL, b int NOT NULL, c int, d int, CONSTRAINT late UNIQUE (a, b)"
                        + " DEFERRABLE, UNIQUE (a, c), UNIQUE (b, d))",
                "ALTER TABLE items REPLICA IDENTITY FULL",
                "INSERT INTO items VALUES (1, 1, 1, 1), (1, 2, 2, 2)");
        follow();
        await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("or its constraint is deferrable"));
        sql("UPDATE items SET b = 3 - b", "ALTER TABLE items DROP CONSTRAINT late, ADD UNIQUE (a, b)");
        followed();
        sameAs("items", "a || ',' || b");
    }

    @Test
    void placesThatAStatementSwapsAreFollowedBesideTheKey() throws Exception {
        following("songs", "list", "id");
        sql(
                "CREATE TABLE songs (list int, id int, place int, PRIMARY KEY (list, id),"
                        + " UNIQUE (list, place) DEFERRABLE, UNIQUE (place, id))",
                "INSERT INTO songs VALUES (1, 1, 1), (1, 2, 2)");
        follow();
        followed();
        sql("UPDATE songs SET place = 3 - place");
        followed();
        sameAs("songs", "list || ',' || id");
    }

    @Test
    void theRowsOfTablesThatWereNeverAnalyzedAreEstimated() throws Exception {
        String odd = oddTable().replace("\"", "");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text)",
                "INSERT INTO items SELECT n, 'item ' || n FROM generate_series(1, 5000) n",
                "CREATE TABLE \"Other\".\"My table\" (id int PRIMARY KEY) PARTITION BY RANGE (id)",
                "CREATE TABLE half PARTITION OF \"Other\".\"My table\" FOR VALUES FROM (0) TO (9000)",
                "INSERT INTO half SELECT n FROM generate_series(1, 5000) n");
        Map<String, String> settings = new HashMap<>();
        server().settings(database).forEach((name, value) -> settings.put(name.replace("database.", ""), value));

        try (PostgresDatabase estimated = new PostgresDatabase(settings, "slot", "publication", "prefix")) {
            assertThat(estimated.estimates(List.of("public.items", odd)))
                    .hasSize(2)
                    .allSatisfy((table, rows) -> assertThat(rows).isBetween(1_000L, 25_000L));
        }
    }

    @Override
    String oddTable() {
        sql("CREATE SCHEMA \"Other\"");
        return "\"Other\".\"My table\"";
    }
}
