package dev.tidemark.writer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.DirectoryInUseException;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SettingsReader;
import dev.tidemark.writer.database.FactsSettings;
import dev.tidemark.writer.postgres.TestServer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** The service as a whole, with no broker to be found. */
@Tag("slow")
class WriterMainTest {
    private static final String CATALOG = """
            tables:
              customers:
                primaryKey: customerId
                partitions: 2
                indexes:
                  by_town: { key: [town], projection: all }
            """;

    @TempDir
    private Path directory = Path.of("");

    @BeforeEach
    void writeTheCatalog() throws IOException {
        Files.writeString(directory.resolve("catalog.yaml"), CATALOG);
    }

    @Test
    void servesWithoutABrokerAndSaysWhere() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();

        try (AutoCloseable service = start("data", 0, out)) {
            assertThat(service).isNotNull();
            assertThat(out.toString(StandardCharsets.UTF_8)).matches("writer ready on http://127.0.0.1:\\d+\\R");
        }
    }

    @Test
    void refusesADataDirectoryThatIsInUse() throws Exception {
        try (AutoCloseable service = start("data", 0, new ByteArrayOutputStream())) {
            assertThat(service).isNotNull();

            assertThatThrownBy(() -> start("data", 0, new ByteArrayOutputStream()))
                    .isInstanceOf(DirectoryInUseException.class);
        }
    }

    @Test
    void refusesAPortThatIsInUseAndLetsGoOfTheDataDirectory() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (AutoCloseable service = start("data", 0, out)) {
            assertThat(service).isNotNull();
            String text = out.toString(StandardCharsets.UTF_8).strip();
            int port = Integer.parseInt(text.substring(text.lastIndexOf(':') + 1));

            assertThatThrownBy(() -> start("other", port, new ByteArrayOutputStream()))
                    .isInstanceOf(PortInUseException.class);
        }
        start("other", 0, new ByteArrayOutputStream()).close();
    }

    @Test
    void servesFactTablesInPostgreSql() throws Exception {
        TestServer server = TestServer.of(TestServer.Version.ARCHIVE_17);
        FactsSettings facts = server.database();
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        WriterConfig config = config(
                "data",
                0,
                "facts.url=" + facts.url(),
                "facts.user=" + facts.user().orElseThrow(),
                "facts.password.file=" + facts.passwordFile().orElseThrow());

        try (AutoCloseable service = WriterMain.start(config, new PrintStream(out, true, StandardCharsets.UTF_8))) {
            assertThat(service).isNotNull();
            String url = out.toString(StandardCharsets.UTF_8).strip().replace("writer ready on ", "");
            assertThat(get(url + "/v1/tables/customers/rows/1")).isEqualTo(404);
            assertThat(get(url + "/v1/tables/customers/rows")).isEqualTo(200);
            assertThat(directory.resolve("data").resolve("facts")).doesNotExist();
            // A writer that loses the database while it takes over ends its process.
            assertThat(BoundedWait.until(
                            () -> body(url + "/health/ready").contains("\"committer\""),
                            Duration.ofSeconds(30),
                            Duration.ofMillis(20)))
                    .isTrue();

            server.crash();
            assertThat(get(url + "/v1/tables/customers/rows/1")).isEqualTo(503);
            server.start();
            assertThat(get(url + "/v1/tables/customers/rows/1")).isEqualTo(404);
        }
        server.giveBack(facts);
    }

    private static int get(String url) throws IOException {
        HttpURLConnection call = (HttpURLConnection) URI.create(url).toURL().openConnection();
        try {
            return call.getResponseCode();
        } finally {
            call.disconnect();
        }
    }

    private static String body(String url) {
        try {
            HttpURLConnection call = (HttpURLConnection) URI.create(url).toURL().openConnection();
            try (InputStream in = call.getResponseCode() < 400 ? call.getInputStream() : call.getErrorStream()) {
                return new String(in.readAllBytes(), StandardCharsets.UTF_8);
            } finally {
                call.disconnect();
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private AutoCloseable start(String data, int port, ByteArrayOutputStream out) throws Exception {
        return WriterMain.start(config(data, port), new PrintStream(out, true, StandardCharsets.UTF_8));
    }

    private WriterConfig config(String data, int port, String... more) throws BadSettingsException {
        List<String> assignments = new ArrayList<>(List.of(
                "data.dir=" + directory.resolve(data),
                "catalog.file=" + directory.resolve("catalog.yaml"),
                "http.port=" + port,
                "rocks.cache.bytes=8388608",
                "rocks.memtable.bytes=1048576",
                // Port 1 answers nobody.
                "kafka.bootstrap.servers=127.0.0.1:1"));
        assignments.addAll(List.of(more));
        return WriterConfig.from(
                new SettingsReader("writer", WriterConfig.definition()).read(Optional.empty(), Map.of(), assignments));
    }
}
