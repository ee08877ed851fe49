package dev.tidemark.writer;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.rocks.RocksResources;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.RowJson;
import dev.tidemark.settings.BadSettingsException;
import dev.tidemark.settings.SettingsReader;
import dev.tidemark.testkit.FileDamage;
import dev.tidemark.testkit.PublishedAnswers;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactsDamage;
import dev.tidemark.writer.commit.FactsDamagedException;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.rocks.RocksFactStore;
import dev.tidemark.writer.rocks.RocksOutbox;
import dev.tidemark.writer.rocks.WriterDatabase;
import dev.tidemark.writer.testkit.TestTables;

import static dev.tidemark.writer.testkit.TestTables.batch;
import static dev.tidemark.writer.testkit.TestTables.put;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A writer whose fact tables have a damaged file, as its clients see it. */
@Tag("slow")
class DamagedServiceTest {
    private static final int ROWS = 400;
    private static final String TABLE = "/v1/tables/customers/rows";
    private static final String CATALOG = """
            tables:
              customers: { primaryKey: customerId, partitions: 4, indexes: { by_town: { key: [town], projection: all } } }
              movies: { primaryKey: [title, year], partitions: 2, indexes: {} }
            """;

    @TempDir
    private Path directory = Path.of("");

    private final HttpClient client = HttpClient.newHttpClient();
    private URI url = URI.create("");

    @Test
    void answersReadsWritesAndBackupsByNameAndIsNoLongerReady() throws Exception {
        FileDamage.FLIPPED.applyTo(fileWith(DamagedServiceTest::readRows));
        try (AutoCloseable service = start()) {
            assertThat(service).isNotNull();
            HttpResponse<byte[]> read = send(request(TABLE + "?limit=1000").GET());

            requireDamage(read, "Fact tables damaged");
            assertThat(json(read).path("type").asText()).isEqualTo("tidemark:facts-damaged");
            requireDamage(write(ROWS + 1), "Writes unavailable");
            requireDamage(send(request("/v1/backup").POST(BodyPublishers.noBody())), "No backup now");
            assertThat(facts().path("status").asText()).isEqualTo("DOWN");
            assertThat(facts().path("detail").asText()).contains(FactsDamage.REMEDY);
        }
    }

    @Test
    void doesNotStartWithoutOneOfItsFilesAndSaysWhatToDo() throws Exception {
        FileDamage.MISSING.applyTo(fileWith(DamagedServiceTest::readRows));

        requireRefusedStart();
    }

    @Test
    void doesNotStartWithADamagedOutboxAndSaysWhatToDo() throws Exception {
        FileDamage.FLIPPED.applyTo(fileWith(DamagedServiceTest::readOutbox));

        requireRefusedStart();
    }

    private void requireRefusedStart() {
        assertThatThrownBy(this::start)
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("the fact tables")
                .hasMessageContaining(FactsDamage.REMEDY);
    }

    /** The file of the tables that is needed for a reading; it is whole. */
    private Path fileWith(Consumer<WriterDatabase> reading) throws Exception {
        Files.writeString(directory.resolve("catalog.yaml"), CATALOG);
        write();
        // Opening it writes to table files what is in the log.
        assertThat(succeeds(reading)).isTrue();
        try (Stream<Path> files = Files.list(facts(directory))) {
            for (Path file :
                    files.filter(each -> each.toString().endsWith(".sst")).toList()) {
                FileDamage.FLIPPED.applyTo(file);
                boolean readable = succeeds(reading);
                FileDamage.FLIPPED.applyTo(file);
                if (!readable) {
                    return file;
                }
            }
        }
        throw new AssertionError("expected a file that is needed");
    }

    private boolean succeeds(Consumer<WriterDatabase> reading) throws Exception {
        try (RocksResources resources = new RocksResources(8 << 20, 1 << 20);
                WriterDatabase database = WriterDatabase.open(facts(directory), TestTables.CATALOG, resources)) {
            reading.accept(database);
            return true;
        } catch (FactsDamagedException e) {
            // Damage elsewhere, by which it is not even opened.
            return true;
        } catch (StoreException | FactsUnreadableException e) {
            return false;
        }
    }

    private static void readRows(WriterDatabase database) {
        try (FactSnapshot rows = new RocksFactStore(database, 0, new DiskFailure()).snapshot("customers")) {
            KeyedRow row = rows.next();
            while (row != null) {
                row = rows.next();
            }
        }
    }

    private static void readOutbox(WriterDatabase database) {
        assertThat(new RocksOutbox(database).readAfter(0, ROWS, Long.MAX_VALUE)).hasSize(ROWS);
    }

    private static Path facts(Path directory) {
        return directory.resolve("data").resolve("facts");
    }

    private void write() throws Exception {
        try (RocksResources resources = new RocksResources(8 << 20, 1 << 20);
                WriterDatabase database = WriterDatabase.open(facts(directory), TestTables.CATALOG, resources)) {
            RocksFactStore store = new RocksFactStore(database, 0, new DiskFailure());
            for (int sequence = 1; sequence <= ROWS; sequence++) {
                store.commit(batch(put(sequence, sequence, "a town with some letters " + sequence)));
            }
        }
    }

    private AutoCloseable start() throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        AutoCloseable service = WriterMain.start(config(), new PrintStream(out, true, StandardCharsets.UTF_8));
        url = URI.create(out.toString(StandardCharsets.UTF_8)
                .replace("writer ready on ", "")
                .strip());
        return service;
    }

    private WriterConfig config() throws BadSettingsException {
        return WriterConfig.from(new SettingsReader("writer", WriterConfig.definition())
                .read(
                        Optional.empty(),
                        Map.of(),
                        List.of(
                                "data.dir=" + directory.resolve("data"),
                                "catalog.file=" + directory.resolve("catalog.yaml"),
                                "http.port=0",
                                // It is found by those who read the rows.
                                "checksum.bytes.per.second=0",
                                "rocks.cache.bytes=8388608",
                                "rocks.memtable.bytes=1048576",
                                // Port 1 answers nobody.
                                "kafka.bootstrap.servers=127.0.0.1:1")));
    }

    private HttpResponse<byte[]> write(int id) throws IOException, InterruptedException {
        return send(request(TABLE + "/" + id)
                .header("Content-Type", "application/json")
                .PUT(BodyPublishers.ofString("{\"customerId\":" + id + ",\"town\":\"x\"}")));
    }

    private JsonNode facts() throws Exception {
        for (JsonNode check : json(send(request("/health/ready").GET())).path("checks")) {
            if (check.path("name").asText().equals("facts")) {
                return check;
            }
        }
        throw new AssertionError("expected a check of the fact tables");
    }

    private static void requireDamage(HttpResponse<byte[]> answer, String title) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(json(answer).path("title").asText()).isEqualTo(title);
        assertThat(json(answer).path("detail").asText())
                .contains("the fact tables are damaged")
                .contains(FactsDamage.REMEDY);
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(url.resolve(path));
    }

    private HttpResponse<byte[]> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return PublishedAnswers.of("/dev/tidemark/writer/openapi.yaml")
                .check(client.send(request.build(), BodyHandlers.ofByteArray()));
    }

    private static JsonNode json(HttpResponse<byte[]> answer) throws Exception {
        return RowJson.parse(answer.body());
    }
}
