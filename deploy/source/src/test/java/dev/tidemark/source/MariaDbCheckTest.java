package dev.tidemark.source;

import java.util.Arrays;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.testkit.MariaDbServer;

import static org.assertj.core.api.Assertions.assertThat;

@ResourceLock("mariadb")
@Execution(ExecutionMode.CONCURRENT)
@ResourceLock("MariaDB")
class MariaDbCheckTest extends SourceTestCase {

    @Override
    MariaDbServer server() {
        return MariaDbServer.shared();
    }

    @Test
    void theSqlOfEachLackMendsIt() throws Exception {
        following("items", "id");
        following("others", "code");
        sql(
                "CREATE USER reader@'127.0.0.1' IDENTIFIED BY 'none'",
                "CREATE TABLE items (id int PRIMARY KEY, place point, j json, ip inet6)",
                "CREATE TABLE others (code varchar(9) PRIMARY KEY, item int, CONSTRAINT gone FOREIGN KEY (item)"
                        + " REFERENCES items (id) ON DELETE CASCADE)",
                "GRANT INSERT ON items TO reader@'127.0.0.1'",
                "GRANT SELECT (item) ON others TO reader@'127.0.0.1'",
                "SET GLOBAL binlog_format = 'MIXED', binlog_row_image = 'MINIMAL', log_bin_compress = ON,"
                        + " binlog_expire_logs_seconds = 60");
        JsonNode found = check();
        assertThat(found.path("ready").asBoolean()).isFalse();
        List<String> what = found.path("lacks").findValuesAsText("what");
        assertThat(what)
                .anyMatch(text -> text.contains("binlog_format is MIXED"))
                .anyMatch(text -> text.contains("binlog_row_image is MINIMAL"))
                .anyMatch(text -> text.contains("log_bin_compress is ON"))
                .anyMatch(text -> text.contains("binlog_expire_logs_seconds is 60"))
                .anyMatch(text -> text.contains("innodb_flush_log_at_trx_commit is 2"))
                .anyMatch(text -> text.contains("sync_binlog is 0"))
                .anyMatch(text -> text.contains("lacks the right REPLICATION SLAVE"))
                .anyMatch(text -> text.contains("lacks the right BINLOG MONITOR"))
                .anyMatch(text -> text.contains("lacks the right RELOAD"))
                .anyMatch(text -> text.contains("may not read " + database + ".items"))
                .anyMatch(text -> text.contains("may not write markers"));
        mend(found);
        JsonNode readable = check();
        assertThat(readable.path("lacks").findValuesAsText("what"))
                .anyMatch(text -> text.contains("foreign key gone of " + database + ".others"))
                .anyMatch(text -> text.contains("column ip of " + database + ".items"));
        mend(readable);
        JsonNode later = check();
        assertThat(later.path("ready").asBoolean()).isTrue();
        assertThat(later.path("lacks").findValuesAsText("what"))
                .singleElement()
                .asString()
                .contains("column " + database + ".items.place (point)");
        sql("INSERT INTO others VALUES ('a', NULL)");
        follow("database.user=reader");
        followed();
        sql("BEGIN", "DELETE FROM others", "DROP TEMPORARY TABLE IF EXISTS none", "ROLLBACK");
        followed();
        assertThat(writer.count("others")).isEqualTo(1);
        sql("UPDATE others SET code = 'b'", "INSERT INTO items (id, j) VALUES (2, '[1]')");
        followed();
        assertThat(writer.row("items", "2").path("j").isArray()).isTrue();
        assertThat(writer.rows("others").keySet()).containsExactly("\"b\"");
        stop();
        sql("DROP USER reader@'127.0.0.1'");
    }

    @Test
    void aColumnForMarkersThatIsTooNarrowForTheTablesIsNamed() throws Exception {
        String markers = "marker.table=" + database + ".narrow";
        sql("CREATE TABLE narrow (source VARCHAR(63) PRIMARY KEY, content VARCHAR(1000) NOT NULL)");
        items();
        assertThat(lacks(markers).findValuesAsText("what")).noneMatch(text -> text.contains("content"));
        for (int table = 1; table <= 20; table++) {
            following("table" + table, "id");
            sql("CREATE TABLE table" + table + " (id int PRIMARY KEY)");
        }
        JsonNode found = lacks(markers);
        assertThat(found.findValuesAsText("what")).anyMatch(text -> text.contains("`.`narrow` is too narrow"));
        found.findValuesAsText("sql").stream()
                .filter(sql -> sql.contains("narrow"))
                .forEach(this::sql);
        follow(markers);
        followed();
        assertThat(writer.watermarkOf("table20")).isPresent();
        stop();
    }

    @AfterEach
    void leaveTheServerAsItWas() {
        sql("SET GLOBAL binlog_format = 'ROW', binlog_row_image = 'FULL', log_bin_compress = OFF,"
                + " binlog_expire_logs_seconds = 0, innodb_flush_log_at_trx_commit = 2, sync_binlog = 0");
    }

    private void mend(JsonNode found) {
        found.path("lacks")
                .findValuesAsText("sql")
                .forEach(all -> Arrays.stream(all.split(";", -1))
                        .filter(sql -> !sql.isBlank())
                        .forEach(this::sql));
    }

    private JsonNode check() throws Exception {
        return check("database.user=reader");
    }

    private JsonNode lacks(String setting) throws Exception {
        return check(setting).path("lacks");
    }

    private JsonNode check(String setting) throws Exception {
        said.reset();
        SourceMain.look(settings(setting), terminal(), true);
        return RowJson.mapper().readTree(said());
    }
}
