package dev.tidemark.worker.http;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Route;
import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.settings.SettingsReader;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.testkit.TestCertificates;
import dev.tidemark.tls.TlsFiles;
import dev.tidemark.worker.WorkerConfig;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.query.PageMemory;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A writer that speaks TLS and wants a token, asked as the worker's settings say. */
class SecuredWriterTest {
    private static final String RIGHT = "worker-0123456789-0123";
    private static final String WRONG = "walker-0123456789-0123";
    private static final String OTHERS = "reader-0123456789-0123";
    private static final String TOKENS = "{'tokens':["
            + "{'name':'worker','token':'" + RIGHT + "','scopes':['facts:*','admin']},"
            + "{'name':'reader','token':'" + OTHERS + "','scopes':['facts:people']}]}";

    @TempDir
    private Path directory = Path.of("");

    private Optional<HttpServer> running = Optional.empty();
    private int port;

    @BeforeEach
    void start() throws Exception {
        SecuritySettings settings = new SecuritySettings(
                false,
                Optional.of(SecretFiles.write(directory.resolve("tokens"), TOKENS)),
                new TlsFiles(
                        Optional.of(TestCertificates.put("server.pem", directory)),
                        Optional.of(TestCertificates.put("server.key", directory)),
                        Optional.empty(),
                        Optional.empty()),
                SecuritySettings.OPEN.client(),
                Optional.empty(),
                Optional.empty());
        HttpServer writer = HttpServer.start(
                new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200)),
                Security.open("127.0.0.1", settings, List::of, new ManualClock()),
                MemoryBudget.unlimited(),
                List::of,
                () -> "",
                WorkerRoutes.OPEN_API,
                () -> List.of(Route.post(
                        "/v1/tables/{table}/rows:lookup",
                        Permission.READ_ROWS,
                        call -> call.result("{\"rows\":[{\"row\":{\"id\":7}}]}"))));
        running = Optional.of(writer);
        port = writer.port();
    }

    @AfterEach
    void stop() {
        running.ifPresent(HttpServer::close);
    }

    @Test
    void givesRowsToAWorkerWithTheRightToken() throws Exception {
        assertThat(rows(RIGHT, "ca.pem"))
                .singleElement()
                .satisfies(id -> assertThat(id).isEqualTo("7"));
    }

    @Test
    void refusesAWorkerWithAWrongTokenOrOneOfOtherTables() {
        assertThatThrownBy(() -> rows(WRONG, "ca.pem"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("status 401")
                .hasMessageNotContaining(WRONG);
        assertThatThrownBy(() -> rows(OTHERS, "ca.pem"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("status 403");
    }

    @Test
    void isNotAskedByAWorkerThatTrustsSomebodyElse() {
        assertThatThrownBy(() -> rows(RIGHT, "other-ca.pem"))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("cannot be reached");
    }

    /** The ids of the rows that a worker with these settings is given. */
    private List<String> rows(String token, String ca) throws Exception {
        WorkerConfig config = WorkerConfig.of(new SettingsReader("worker", WorkerConfig.definition())
                .read(
                        Optional.empty(),
                        Map.of(),
                        List.of(
                                "data.dir=" + directory,
                                "writer.url=https://127.0.0.1:" + port,
                                "writer.token.file=" + SecretFiles.write(directory.resolve("token"), token),
                                "tls.ca=" + TestCertificates.put(ca, directory))));
        WriterClient client = new WriterClient(
                new ServiceConnection(ServiceClient.open(config.writerUrls(), config.security())),
                new WriterCallLimit(1, new SteadyClock()));
        List<String> ids = new ArrayList<>();
        List<KeyBytes> keys = List.of(new ChangeLog(Tables.films()).key("7"));
        try (PageMemory room = PageMemory.open(MemoryBudget.unlimited().part("pages", 1))) {
            for (Optional<KeyBytes> row : client.lookup(Tables.films(), keys, room)) {
                ids.add(RowJson.parse(row.orElseThrow().array()).path("id").asText());
            }
        }
        return ids;
    }
}
