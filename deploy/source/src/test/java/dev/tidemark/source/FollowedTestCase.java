package dev.tidemark.source;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Every kind of change of a database reaches the writer. */
@Tag("slow")
abstract class FollowedTestCase extends SourceTestCase {

    /** Has the database leave a large value out of a change that does not concern it, where it can. */
    void leaveOut(String table, String column) {}

    /** Where a new column is put, other than at the end, where the database can. */
    String between() {
        return "";
    }

    /** A table with an odd name, as SQL has it with its schema; the first character quotes names. */
    abstract String oddTable();

    @Test
    void rowsFollowEveryKindOfChange() throws Exception {
        following("items", "id");
        sql("CREATE TABLE items (id int PRIMARY KEY, name text, price decimal(8,2), big text)");
        leaveOut("items", "big");
        sql("INSERT INTO items SELECT seq, CONCAT('item ', seq), seq + 0.50, REPEAT('x', 3000) FROM "
                + server().numbers(1, 100));
        follow();
        followed();
        sameAs("items", "id");
        sql(
                "INSERT INTO items VALUES (101, NULL, 1.10, 'short')",
                "UPDATE items SET name = 'kept' WHERE id = 1",
                "UPDATE items SET id = 1002 WHERE id = 2",
                "UPDATE items SET id = 1003, name = 'both' WHERE id = 3",
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
                "INSERT INTO items SELECT seq, CONCAT('item ', seq), seq FROM " + server().numbers(1, 10));
        follow();
        followed();
        sql("ALTER TABLE items ADD later text" + between(), "UPDATE items SET later = 'x' WHERE id = 1");
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
    void columnsThatAreReplacedUnderTheirNamesLeadToTheRowsOfTheDatabase() throws Exception {
        following("items", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, one int, two int, last int)",
                "INSERT INTO items SELECT seq, seq + 10, seq + 20, seq + 30 FROM " + server().numbers(1, 10));
        follow();
        followed();
        sql("ALTER TABLE items DROP COLUMN last, ADD COLUMN last int", "UPDATE items SET last = 1 WHERE id = 1");
        followed();
        sameAs("items", "id");
        sql(
                "BEGIN",
                "ALTER TABLE items RENAME COLUMN one TO other",
                "ALTER TABLE items RENAME COLUMN two TO one",
                "ALTER TABLE items RENAME COLUMN other TO two",
                "COMMIT");
        followed();
        sameAs("items", "id");
        assertThat(said()).contains("columns were changed");
    }

    @Test
    void keysOfSeveralColumnsAndOddNamesAreFollowed() throws Exception {
        String odd = oddTable();
        char quote = odd.charAt(0);
        String lines = quote + "lines" + quote;
        String column = quote + "odd name" + quote;
        following("lines", "a", "b");
        writer.following("others", odd.replace(String.valueOf(quote), ""), "id");
        sql(
                "CREATE TABLE " + lines + " (a int, b varchar(9), n int, PRIMARY KEY (a, b))",
                "CREATE TABLE " + odd + " (id varchar(9) PRIMARY KEY, " + column + " int)",
                "INSERT INTO " + lines + " VALUES (1, 'x', 1), (1, 'y', 2)",
                "INSERT INTO " + odd + " VALUES ('k', 1)");
        follow();
        followed();
        sql("UPDATE " + lines + " SET b = 'z', n = 3 WHERE b = 'x'", "UPDATE " + odd + " SET " + column + " = 2");
        followed();
        assertThat(writer.rows("lines").keySet()).containsExactly("1,\"y\"", "1,\"z\"");
        assertThat(writer.row("others", "\"k\"").toString()).isEqualTo("{\"id\":\"k\",\"odd name\":2}");
        assertThat(said()).doesNotContain("rying again");
    }

    @Test
    void answersThatAreLostDoubleNothing() throws Exception {
        items();
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
