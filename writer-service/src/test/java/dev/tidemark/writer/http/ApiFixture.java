package dev.tidemark.writer.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.backup.BackupRefusal;
import dev.tidemark.backup.Backups;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Security;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.testkit.PublishedAnswers;
import dev.tidemark.writer.catalog.CatalogRegistry;
import dev.tidemark.writer.commit.CatalogRules;
import dev.tidemark.writer.commit.Committer;
import dev.tidemark.writer.commit.CommitterLimits;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.lag.FreshnessWatch;
import dev.tidemark.writer.outbox.Backlog;
import dev.tidemark.writer.outbox.BacklogLimits;
import dev.tidemark.writer.outbox.Dismissals;
import dev.tidemark.writer.testkit.InMemoryDisk;
import dev.tidemark.writer.testkit.TestTables;
import dev.tidemark.writer.testkit.WriterStores;

import static org.assertj.core.api.Assertions.assertThat;

/** The calls over real HTTP, with a disk in memory. */
final class ApiFixture implements AutoCloseable {
    static final long ATOMIC_MAX_BYTES = 4_000;
    static final int PAGE_ROWS = 1_000;

    /** Every answer is held against the document. */
    static final PublishedAnswers PUBLISHED = PublishedAnswers.of("/dev/tidemark/writer/openapi.yaml");

    private static final String JSON = "application/json";

    final InMemoryDisk disk = new InMemoryDisk();
    volatile Optional<String> refusal = Optional.empty();
    volatile Optional<BackupRefusal> backupRefusal = Optional.empty();

    /** What becomes of each dismissal. */
    volatile Dismissals.Outcome dismissal = Dismissals.Outcome.PUBLISHED;

    /** The dismissals that were asked for: table, partition, and key in hexadecimal. */
    final List<String> dismissed = new CopyOnWriteArrayList<>();

    final ManualClock clock = new ManualClock();
    private final HttpClient client = HttpClient.newHttpClient();
    private final Backlog backlog = new Backlog(new BacklogLimits(1_000_000, 1_000_000_000));
    private final CatalogRegistry registry =
            TestTables.unconfirmedDesk(WriterStores.on(disk).definitions(), clock);
    private final CatalogRules rules = new CatalogRules(registry::catalog, registry::current, TestTables.MAX_ROW_BYTES);
    private final AgentRunner thread;
    final Committer committer;
    final MemoryBudget memory = new MemoryBudget(256 << 20);
    private final HttpServer server;

    /** An answer. */
    record Answer(int status, JsonNode body, Map<String, List<String>> headers) {
        String detail() {
            return body.path("detail").asText();
        }

        String header(String name) {
            return headers.getOrDefault(name, List.of("")).get(0);
        }
    }

    /** For how long it is not known whether the writer is the one that publishes. */
    volatile Optional<Duration> unconfirmedFor = Optional.of(Duration.ZERO);

    ApiFixture() throws PortInUseException {
        this(Security.none());
    }

    ApiFixture(Security security) throws PortInUseException {
        this(security, true, Optional.empty(), new Size(ATOMIC_MAX_BYTES, 1_000_000, Optional.empty()));
    }

    /** The calls with fact tables that are elsewhere. */
    ApiFixture(FactStore facts) throws PortInUseException {
        this(Security.none(), true, Optional.of(facts), new Size(ATOMIC_MAX_BYTES, 1_000_000, Optional.empty()));
    }

    /** The calls of a service that was not told yet which definitions were published. */
    static ApiFixture unconfirmed() throws PortInUseException {
        return new ApiFixture(
                Security.none(), false, Optional.empty(), new Size(ATOMIC_MAX_BYTES, 1_000_000, Optional.empty()));
    }

    /** The calls of a service with a heap of 512 MiB, as it is divided by default. */
    static ApiFixture ofHalfAGigabyte() throws PortInUseException {
        return new ApiFixture(Security.none(), true, Optional.empty(), new Size(64 << 20, 64 << 20, Optional.of(0.4)));
    }

    /**
     * What is not as small as tests need it.
     *
     * @param rowCache share of the memory that row caches take, of which the queue may take half; empty where the
     *     memory of the queue has no bound
     */
    private record Size(long atomicMaxBytes, long queuedBytes, Optional<Double> rowCache) {}

    private ApiFixture(Security security, boolean confirmed, Optional<FactStore> elsewhere, Size size)
            throws PortInUseException {
        FactStore facts = elsewhere.orElseGet(() -> WriterStores.on(disk).facts());
        committer = new Committer(
                facts,
                TestTables.digests(facts),
                rules,
                new CommitterLimits(100, size.queuedBytes(), 100, Duration.ofMillis(5)),
                size.rowCache().isPresent()
                        ? memory.part("queue", 0.5)
                        : MemoryBudget.unlimited().part("queue", 1),
                table -> refusal,
                clock,
                List.of(backlog));
        size.rowCache()
                .ifPresent(share -> assertThat(memory.setAside("row_cache", share, 128 << 20))
                        .isPositive());
        this.thread = AgentRunner.start(committer, Duration.ZERO);
        if (confirmed) {
            TestTables.confirm(registry, clock);
        }
        FreshnessWatch freshness = new FreshnessWatch(List::of, () -> 1, clock, new WakeupSignal());
        WriterRoutes routes = new WriterRoutes(
                new WriterRoutes.Parts(
                        rules,
                        registry,
                        facts,
                        committer,
                        backlog,
                        freshness,
                        this::dismiss,
                        new Backups(
                                Path.of("target", "backups", UUID.randomUUID().toString()),
                                () -> Map.of(
                                        "facts",
                                        to -> assertThat(to.toFile().mkdir()).isTrue()),
                                () -> backupRefusal,
                                clock),
                        WriterStores.on(disk).ledger(),
                        () -> unconfirmedFor,
                        clock),
                size.atomicMaxBytes(),
                PAGE_ROWS);
        this.server = HttpServer.start(
                new HttpSettings("127.0.0.1", 0, 20, Duration.ofMillis(200)),
                security,
                memory,
                List::of,
                () -> "",
                "/dev/tidemark/writer/openapi.yaml",
                routes);
    }

    private CompletableFuture<Dismissals.Outcome> dismiss(String table, int partition, KeyBytes key) {
        dismissed.add(table + " " + partition + " " + key);
        return CompletableFuture.completedFuture(dismissal);
    }

    int port() {
        return server.port();
    }

    Answer get(String path, String... headers) {
        return send("GET", path, BodyPublishers.noBody(), headers);
    }

    Answer put(String path, String row, String... headers) {
        return send("PUT", path, text(row), with(JSON, headers));
    }

    Answer patch(String path, String patch, String... headers) {
        return send("PATCH", path, text(patch), with("application/merge-patch+json", headers));
    }

    Answer delete(String path, String... headers) {
        return send("DELETE", path, BodyPublishers.noBody(), headers);
    }

    /** How many rows a table has, by its pages. */
    int rowsOf(String table) {
        String pages = "/v1/tables/" + table + "/rows?limit=" + PAGE_ROWS;
        int rows = 0;
        String cursor = "";
        do {
            JsonNode page = get(pages + cursor).body();
            rows += page.path("rows").size();
            cursor = page.path("next").isTextual()
                    ? "&cursor=" + page.path("next").asText()
                    : "";
        } while (!cursor.isEmpty());
        return rows;
    }

    /** Posts lines. */
    Answer load(String path, String... lines) {
        return send("POST", path, text(String.join("\n", lines)), with("application/x-ndjson"));
    }

    Answer post(String path, String json) {
        return send("POST", path, text(json), with(JSON));
    }

    /** Sends what no helper sends. JSON may have apostrophes for quotation marks. */
    Answer send(String method, String path, BodyPublisher body, String... headers) {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, body)
                .timeout(Duration.ofSeconds(30));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        try {
            HttpResponse<byte[]> response = PUBLISHED.check(client.send(request.build(), BodyHandlers.ofByteArray()));
            byte[] answer = response.body();
            JsonNode json = answer.length == 0 ? RowJson.mapper().createObjectNode() : RowJson.parse(answer);
            return new Answer(response.statusCode(), json, response.headers().map());
        } catch (IOException | BadJsonException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    /** The status of an answer, whatever its body is. */
    int status(String method, String path, String... headers) throws IOException, InterruptedException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(30));
        for (int i = 0; i < headers.length; i += 2) {
            request.header(headers[i], headers[i + 1]);
        }
        return PUBLISHED
                .checkHead(client.send(request.build(), BodyHandlers.discarding()))
                .statusCode();
    }

    /** The body of an answer that is not JSON, while it arrives. */
    HttpResponse<InputStream> open(String path) {
        try {
            return PUBLISHED.checkHead(client.send(
                    HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                            .timeout(Duration.ofSeconds(30))
                            .build(),
                    BodyHandlers.ofInputStream()));
        } catch (IOException e) {
            throw new AssertionError(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        server.close();
        thread.close();
    }

    static BodyPublisher text(String json) {
        return BodyPublishers.ofString(json.replace('\'', '"'), StandardCharsets.UTF_8);
    }

    private static String[] with(String type, String... headers) {
        String[] all = new String[headers.length + 2];
        System.arraycopy(headers, 0, all, 0, headers.length);
        all[headers.length] = "Content-Type";
        all[headers.length + 1] = type;
        return all;
    }
}
