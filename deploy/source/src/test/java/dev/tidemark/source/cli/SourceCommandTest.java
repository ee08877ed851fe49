package dev.tidemark.source.cli;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

import dev.tidemark.deploy.text.Terminal;

import static org.assertj.core.api.Assertions.assertThat;

class SourceCommandTest {
    private static final String SECRET = "canary-5f1c";
    private final ByteArrayOutputStream said = new ByteArrayOutputStream();
    private final List<SourceSettings> checked = new ArrayList<>();

    private int run(Map<String, String> environment, String... arguments) {
        PrintStream out = new PrintStream(said, true, StandardCharsets.UTF_8);
        SourceCommand source = new SourceCommand(
                (settings, json) -> {
                    throw new AssertionError("not to be started");
                },
                (settings, json) -> {
                    checked.add(settings);
                    return 1;
                },
                SourceSettings.definition(),
                Terminal.plain(out, out),
                environment);
        return new CommandLine(source)
                .setErr(new PrintWriter(out, true, StandardCharsets.UTF_8))
                .setExecutionExceptionHandler((e, command, result) -> {
                    out.println(e.getMessage());
                    return 2;
                })
                .execute(arguments);
    }

    private String said() {
        return said.toString(StandardCharsets.UTF_8);
    }

    @Test
    void settingsComeFromFileEnvironmentAndOptions(@TempDir Path directory) throws Exception {
        Path config = Files.writeString(
                directory.resolve("source.properties"),
                "name=other\ndatabase.hostname=db\ndatabase.dbname=shop\nconnector.max.batch.size=7\n");
        assertThat(run(
                        Map.of("TIDEMARK_SOURCE_DATABASE_USER", "reader", "TIDEMARK_SOURCE_DATABASE_PASSWORD", SECRET),
                        "check",
                        "--config",
                        config.toString(),
                        "--name",
                        "shop"))
                .isEqualTo(1);
        SourceSettings settings = checked.get(0);
        assertThat(settings.slot()).isEqualTo("tidemark_shop");
        assertThat(settings.connector()).containsEntry("max.batch.size", "7").containsEntry("database.port", "5432");
        assertThat(settings.database()).containsEntry("password", SECRET).containsEntry("user", "reader");
        assertThat(settings.toString()).doesNotContain(SECRET);
    }

    @Test
    void aPasswordComesFromAFileForItsOwnerAlone(@TempDir Path directory) throws Exception {
        Path file = Files.writeString(directory.resolve("password"), SECRET + "\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
        String[] arguments = {
            "check",
            "--name",
            "shop",
            "--set",
            "database.hostname=db",
            "--set",
            "database.dbname=shop",
            "--set",
            "database.user=reader",
            "--set",
            "database.password.file=" + file
        };
        assertThat(run(Map.of(), arguments)).isEqualTo(1);
        assertThat(checked.get(0).database()).containsEntry("password", SECRET);
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r--r--"));
        assertThat(run(Map.of(), arguments)).isEqualTo(2);
        assertThat(said()).contains("chmod 600").doesNotContain(SECRET);
    }

    @Test
    void printedSettingsHoldNoSecret() {
        assertThat(run(
                        Map.of("TIDEMARK_SOURCE_DATABASE_PASSWORD", SECRET),
                        "--name",
                        "shop",
                        "--set",
                        "database.hostname=db",
                        "--print-config"))
                .isZero();
        assertThat(said())
                .contains("name=shop", "database.hostname=db", "marker.interval")
                .doesNotContain(SECRET);
    }

    @Test
    void topicsNeedNoDatabase() throws Exception {
        assertThat(run(
                        Map.of(),
                        "check",
                        "--name",
                        "shop",
                        "--topics",
                        "a,b",
                        "--set",
                        "kafka.bootstrap.servers=kafka:9092"))
                .isEqualTo(1);
        SourceSettings settings = checked.get(0);
        assertThat(settings.topics()).containsExactly("a", "b");
        assertThat(settings.database()).isEmpty();
        assertThat(settings.kafka()).containsEntry("bootstrap.servers", "kafka:9092");
    }

    @Test
    void aPasswordWithoutAHostNamesNoDatabase() {
        Map<String, String> environment = Map.of("TIDEMARK_SOURCE_DATABASE_PASSWORD", SECRET);
        assertThat(run(environment, "check", "--name", "shop", "--topics", "a")).isEqualTo(1);
        assertThat(checked.get(0).database()).isEmpty();
    }

    @Test
    void topicsOfAMariaDbMayHaveItsSettings() {
        String[] arguments = {
            "check",
            "--name",
            "shop",
            "--topics",
            "a",
            "--set",
            "connector.class=io.debezium.connector.mariadb.MariaDbConnector",
            "--set",
            "database.hostname=db",
            "--set",
            "database.user=reader"
        };
        assertThat(run(Map.of(), arguments)).isEqualTo(1);
        assertThat(checked.get(0).database())
                .containsOnly(Map.entry("hostname", "db"), Map.entry("port", "3306"), Map.entry("user", "reader"));
    }

    @Test
    void whatIsNotThereIsRefusedWithASentence() {
        assertThat(run(
                        Map.of(),
                        "check",
                        "--name",
                        "shop",
                        "--set",
                        "connector.class=io.debezium.connector.mysql.MySqlConnector"))
                .isEqualTo(2);
        assertThat(said()).contains("other databases are not supported");
        assertThat(run(Map.of(), "check", "--name", "shop", "--set", "databse.hostname=x"))
                .isEqualTo(2);
        assertThat(said()).contains("unknown setting databse.hostname");
        assertThat(run(Map.of(), "check")).isEqualTo(2);
        assertThat(said()).contains("expected the setting name").doesNotContain("Missing required");
    }
}
