package dev.tidemark.source;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

import static org.assertj.core.api.Assertions.assertThat;

/** Every kind of change of a PostgreSQL reaches the writer. */
@ResourceLock("postgresql")
class FollowedDatabaseTest extends SourceTestCase {

    @Test
    void rowsFollowEveryKindOfChange() throws Exception {
        writer.following("items", "public.items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text, price numeric(8,2), big text)",
                "ALTER TABLE items ALTER big SET STORAGE EXTERNAL",
                "INSERT INTO items SELECT n, 'item ' || n, n + 0.50, repeat('x', 3000) FROM generate_series(1, 100) n");
        follow();
        followed();
        sameAs("items", "id");
        sql(
                "INSERT INTO items VALUES (101, NULL, 1.10, 'short')",
                "UPDATE items SET name = 'kept' WHERE id = 1",
                "UPDATE items SET id = 1002 WHERE id = 2",
                "UPDATE items SET id = 1003, name = 'both' WHERE id = 3",
                "DELETE FROM items WHERE id = 4",
                "BEGIN; UPDATE items SET id = id + 5000 WHERE id BETWEEN 10 AND 20; DELETE FROM items WHERE id = 5010;"
                        + " COMMIT");
        followed();
        sameAs("items", "id");
        sql("TRUNCATE items", "INSERT INTO items VALUES (7, 'after', 1, 'b')");
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("snapshot ended: 100 rows");
    }

    @Test
    void changedColumnsLeadToTheRowsOfTheDatabase() throws Exception {
        writer.following("items", "public.items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text, gone int)",
                "INSERT INTO items SELECT n, 'item ' || n, n FROM generate_series(1, 10) n");
        follow();
        followed();
        sql("ALTER TABLE items ADD later text", "UPDATE items SET later = 'x' WHERE id = 1");
        followed();
        assertThat(said()).doesNotContain("columns were changed");
        sql(
                "ALTER TABLE items ADD preset int DEFAULT 5",
                "ALTER TABLE items DROP gone",
                "ALTER TABLE items RENAME name TO title");
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("columns were changed");
    }

    @Test
    void keysOfSeveralColumnsAndTablesOfSeveralSchemasAreFollowed() throws Exception {
        writer.following("lines", "public.lines", "a", "b").following("others", "Other.My table", "id");
        sql(
                "CREATE TABLE lines (a int, b text, n int, PRIMARY KEY (a, b))",
                "CREATE SCHEMA \"Other\"",
                "CREATE TABLE \"Other\".\"My table\" (id text PRIMARY KEY, \"odd name\" int)",
                "INSERT INTO lines VALUES (1, 'x', 1), (1, 'y', 2)",
                "INSERT INTO \"Other\".\"My table\" VALUES ('k', 1)");
        follow();
        followed();
        sql("UPDATE lines SET b = 'z', n = 3 WHERE b = 'x'", "UPDATE \"Other\".\"My table\" SET \"odd name\" = 2");
        followed();
        assertThat(writer.rows("lines").keySet()).containsExactly("1,\"y\"", "1,\"z\"");
        assertThat(writer.row("others", "\"k\"").toString()).isEqualTo("{\"id\":\"k\",\"odd name\":2}");
        assertThat(said()).doesNotContain("rying again");
    }

    @Test
    void answersThatAreLostDoubleNothing() throws Exception {
        writer.following("items", "public.items", "id");
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
