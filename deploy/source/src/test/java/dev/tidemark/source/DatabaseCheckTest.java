package dev.tidemark.source;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

@ResourceLock("postgresql")
@Tag("slow")
class DatabaseCheckTest extends SourceTestCase {

    @Test
    void theSqlOfEachLackMendsIt() throws Exception {
        String role = "reader_of_" + database;
        following("items", "id");
        following("others", "code");
        sql(
                "CREATE ROLE " + role + " LOGIN",
                "CREATE UNLOGGED TABLE items (id int PRIMARY KEY, name text)",
                "CREATE TABLE others (id int PRIMARY KEY, code text NOT NULL, place text)",
                "CREATE TABLE later (id int PRIMARY KEY DEFERRABLE, code text)");
        following("later", "id");
        JsonNode found = check(role);
        assertThat(found.path("ready").asBoolean()).isFalse();
        List<String> what = found.path("lacks").findValuesAsText("what");
        assertThat(what)
                .anyMatch(text -> text.contains("may not use replication slots"))
                .anyMatch(text -> text.contains("items is not in the write-ahead log"))
                .anyMatch(text -> text.contains("may not read public.items"))
                .anyMatch(text -> text.contains("replica identity of public.others"))
                .anyMatch(text -> text.contains("constraint of public.later is deferrable"))
                .anyMatch(text -> text.contains("no publication"));
        found.path("lacks").forEach(lack -> {
            if (lack.path("serious").asBoolean()) {
                sql(lack.path("sql").asText());
            }
        });
        assertThat(check(role).path("ready").asBoolean()).isTrue();
        sql("INSERT INTO others VALUES (1, 'a', 'x')");
        follow("database.user=" + role);
        followed();
        sql("UPDATE others SET code = 'b'");
        followed();
        assertThat(writer.rows("others").keySet()).containsExactly("\"b\"");
        stop();
        sql("DROP OWNED BY " + role, "DROP ROLE " + role);
    }

    @Test
    void generatedColumnsAreNamedAndRefusedInAKey() throws Exception {
        following("items", "id");
        following("others", "small");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, twice int GENERATED ALWAYS AS (id * 2) STORED)",
                "CREATE TABLE others (name text, small text GENERATED ALWAYS AS (lower(name)) STORED PRIMARY KEY)");
        List<String> lacks = new ArrayList<>();
        check("postgres").path("lacks").forEach(lack -> {
            if (lack.path("what").asText().contains("generated")) {
                lacks.add(
                        lack.path("serious").asText() + " " + lack.path("what").asText());
            }
        });
        assertThat(lacks).hasSize(2);
        assertThat(lacks.get(0)).startsWith("false").contains("public.items").contains("twice");
        assertThat(lacks.get(1)).startsWith("true").contains("public.others").contains("small");
    }

    @Test
    void aTableFromWhichOthersInheritIsNamed() throws Exception {
        items("CREATE TABLE later () INHERITS (items)");
        JsonNode found = check("postgres");
        assertThat(found.path("lacks").findValuesAsText("what"))
                .anyMatch(text -> text.startsWith("public.items is no ordinary table"));
        assertThat(found.path("ready").asBoolean()).isFalse();
    }

    @Test
    void aSlotOfAnotherDatabaseIsNamed() throws Exception {
        items();
        String other = server().newDatabase();
        try {
            server().sql(other, "SELECT pg_create_logical_replication_slot('tidemark_shop', 'pgoutput')");
            JsonNode found = check("postgres");
            assertThat(found.path("lacks").findValuesAsText("what"))
                    .anyMatch(text -> text.startsWith("replication slot tidemark_shop is that of database " + other));
            assertThat(found.path("ready").asBoolean()).isFalse();
        } finally {
            server().dropDatabase(other);
        }
        assertThat(check("postgres").path("ready").asBoolean()).isTrue();
    }

    @Test
    void aPublicationThatLeavesRowsOrColumnsOutIsNamed() throws Exception {
        following("items", "id");
        following("others", "id");
        sql(
                "CREATE TABLE items (id int PRIMARY KEY, name text)",
                "CREATE TABLE others (id int PRIMARY KEY, name text)",
                "CREATE PUBLICATION tidemark_shop FOR TABLE items WHERE (id > 5), others (id)");
        JsonNode found = check("postgres").path("lacks");
        List<String> what = new ArrayList<>();
        found.forEach(lack -> {
            if (lack.path("serious").asBoolean()) {
                what.add(lack.path("what").asText());
                sql(lack.path("sql").asText());
            }
        });
        assertThat(what)
                .containsExactly(
                        "publication tidemark_shop leaves rows or columns of public.items out",
                        "publication tidemark_shop leaves rows or columns of public.others out");
        assertThat(check("postgres").path("ready").asBoolean()).isTrue();
    }

    @Test
    void aPublicationOfAnotherRoleHasToHaveTheTablesAlready() throws Exception {
        String role = "owner_in_" + database;
        items();
        sql(
                "CREATE ROLE " + role + " LOGIN REPLICATION",
                "GRANT CREATE ON DATABASE " + database + " TO " + role,
                "ALTER TABLE items OWNER TO " + role,
                "CREATE PUBLICATION tidemark_shop");
        List<JsonNode> serious = new ArrayList<>();
        check(role).path("lacks").forEach(lack -> {
            if (lack.path("serious").asBoolean()) {
                serious.add(lack);
            }
        });
        assertThat(serious)
                .singleElement()
                .satisfies(lack -> assertThat(lack.path("what").asText())
                        .isEqualTo("publication tidemark_shop lacks tables of the source"))
                .satisfies(lack -> sql(lack.path("sql").asText()));
        assertThat(check(role).path("ready").asBoolean()).isTrue();
        sql("DROP OWNED BY " + role, "DROP ROLE " + role);
    }

    private JsonNode check(String role) throws Exception {
        said.reset();
        SourceMain.look(settings("database.user=" + role), terminal(), true);
        return RowJson.mapper().readTree(said());
    }
}
