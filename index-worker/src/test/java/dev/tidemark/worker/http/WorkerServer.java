package dev.tidemark.worker.http;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.function.LongConsumer;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.backup.Backups;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Security;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.rocks.RocksResources;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.PeriodicAgent;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.testkit.PublishedAnswers;
import dev.tidemark.worker.advise.Advisor;
import dev.tidemark.worker.backfill.BuildMeter;
import dev.tidemark.worker.backfill.RollbackWindow;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.copy.ByteRate;
import dev.tidemark.worker.copy.HeldCopies;
import dev.tidemark.worker.explain.Explainer;
import dev.tidemark.worker.explain.GlobalReceipts;
import dev.tidemark.worker.explain.ReceiptService;
import dev.tidemark.worker.explain.RowLookup;
import dev.tidemark.worker.forecast.ForecastJobs;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.ShardRoutes;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.lag.FreshnessHistory;
import dev.tidemark.worker.lag.Visibility;
import dev.tidemark.worker.query.GroupQueries;
import dev.tidemark.worker.query.QueryEngine;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.rocks.RocksShardStores;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.ShardThreads;
import dev.tidemark.worker.shard.WaiterLimit;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryOwnerSource;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.testkit.WorkerFixture;
import dev.tidemark.worker.verify.VerifyJobs;

import static org.assertj.core.api.Assertions.assertThat;

/** A worker's HTTP side over shards in memory; films is followed, people is not assigned. */
final class WorkerServer implements AutoCloseable {
    /** Every answer is held against the document. */
    static final PublishedAnswers PUBLISHED = PublishedAnswers.of(WorkerRoutes.OPEN_API);

    /** Threads that handle requests. */
    static final int THREADS = 16;

    static final RocksResources RESOURCES = new RocksResources(8 << 20, 1 << 20);

    private final Advisor.Meters advised = Advisor.Meters.atZero();
    final WorkerFixture bench;
    final ChangeLog films = new ChangeLog(Tables.films());
    volatile Optional<String> refusal = Optional.empty();
    volatile boolean defined = true;
    private final ServiceConnection toWriter;
    private final OpenShard shard;
    private long reading;
    final List<Owner> owners = new ArrayList<>();
    final List<String> tables = new ArrayList<>(List.of("films", "people"));
    final Set<String> silentGroups = new HashSet<>();
    final PeriodicAgent sampler;
    final ShardRoutes shardRoutes;
    final MemoryBudget memory = new MemoryBudget(64 << 20);
    final MemoryBudget ofCalls = new MemoryBudget(64 << 20);
    final MemoryBudget.Part pages = memory.part("pages", 1);
    final VerifyJobs desk = new VerifyJobs(0);
    final ForecastJobs forecastJobs = new ForecastJobs(0);
    private final FreshnessHistory history = new FreshnessHistory();
    final GroupIndexes indexes;
    private final EventStreams events;
    private final WorkerRoutes routes;
    private final HttpServer server;
    private final HttpClient client = HttpClient.newHttpClient();

    WorkerServer(URI writer) throws Exception {
        this(writer, SecuritySettings.OPEN);
    }

    /** Gives none. */
    private static HeldCopies noCopies() {
        SteadyClock clock = new SteadyClock();
        return new HeldCopies(
                Path.of("target", "copies", UUID.randomUUID().toString()),
                new RocksShardStores(Path.of("target", "copied"), RESOURCES, 0, 0),
                new ByteRate(0, clock),
                clock);
    }

    WorkerServer(URI writer, SecuritySettings secured) throws Exception {
        this(writer, secured, noCopies());
    }

    /** Notes what another worker has, which this one reads then. */
    void others(URI url, ShardId... shards) throws InterruptedException {
        others("a", url, shards);
    }

    /** The same of a replica group. */
    void others(String group, URI url, ShardId... shards) throws InterruptedException {
        for (ShardId shard : shards) {
            OffsetNote note = new OffsetNote(
                    new Progress(ChangeLog.at(5), ChangeLog.version(5)), url, "worker-2", new TreeSet<>());
            owners.add(new Owner(shard, group, true, note));
        }
        shardRoutes.look();
        shardRoutes.agent().doWork();
    }

    WorkerServer(URI writer, SecuritySettings secured, HeldCopies copies) throws Exception {
        this(writer, secured, copies, WriterClock.SAME);
    }

    /** One that measures ages on a clock of the writer. */
    WorkerServer(URI writer, WriterClock writerTime) throws Exception {
        this(writer, SecuritySettings.OPEN, noCopies(), writerTime);
    }

    private WorkerServer(URI writer, SecuritySettings secured, HeldCopies copies, WriterClock writerTime)
            throws Exception {
        bench = new WorkerFixture(Tables.catalog(), ShardThreads.CALLER, advised.usage(), writerTime);
        shard = bench.open(new ShardId("films", 0));
        reading = Objects.requireNonNull(shard.takeStart()).reading();
        WaiterLimit waiting = new WaiterLimit(bench.progressSignal(), 2);
        WriterCallLimit turns = new WriterCallLimit(2, bench.clock());
        toWriter = new ServiceConnection(ServiceClient.plain(writer));
        WriterClient facts = new WriterClient(toWriter, turns);
        QueryEngine engine = new QueryEngine(bench.lag(), waiting, facts, pages, () -> refusal, bench.clock());
        shardRoutes = new ShardRoutes(
                new WorkerIdentity(URI.create("http://127.0.0.1:1"), "worker-1", ""),
                "a",
                new InMemoryOwnerSource(owners, silentGroups, Set.of()),
                () -> tables,
                bench.clock(),
                () -> {});
        shardRoutes.agent().doWork();
        PeerClient peers = new PeerClient(toWriter, pages);
        GroupQueries queries = new GroupQueries(engine, shardRoutes, peers, facts, pages, peers::after, bench.clock());
        RowLookup rows = new RowLookup(bench.lag(), () -> refusal);
        OwnerCalls owners = new OwnerCalls(rows, shardRoutes, peers, waiting, new SteadyClock());
        LagJson lag = new LagJson(
                bench::definitions,
                bench.lag(),
                new Visibility(bench.clock()),
                new LifecycleJson(
                        bench.shards(),
                        new BuildMeter(bench.shards(), bench.clock()),
                        new RollbackWindow(bench.shards(), Duration.ofMinutes(15)),
                        forecastJobs),
                history,
                bench.clock());
        sampler = new PeriodicAgent(
                "history",
                Duration.ZERO,
                FreshnessHistory.SAMPLE_EVERY,
                List.of(() -> history.sample(
                        bench.definitions(), bench.lag(), bench.clock().instant())),
                bench.clock());
        GroupParts group = new GroupParts(shardRoutes, peers);
        GroupLag groupLag = new GroupLag(lag, group, bench::definitions);
        indexes = new GroupIndexes(lag, group, bench::definitions);
        events = new EventStreams(groupLag, bench.clock());
        QuarantineJson quarantine = new QuarantineJson(bench.shards(), pages);
        routes = new WorkerRoutes(
                new QueryRoutes(Tables.names(bench::definitions), queries, advised.usage(), indexes, QueryLimits.USUAL),
                new PeerRoutes(
                        Tables.names(bench::definitions),
                        engine,
                        QueryLimits.USUAL,
                        new WorkersJson(
                                new WorkerIdentity(URI.create("http://127.0.0.1:1"), "worker-1", ""),
                                "a",
                                shardRoutes,
                                peers,
                                bench.lag(),
                                bench::layout),
                        lag,
                        quarantine),
                new CopyRoutes(copies),
                lag,
                groupLag,
                indexes,
                new TablePauses(bench.shards(), this::pause, Tables::catalog),
                new GroupQuarantine(quarantine, group, bench::layout),
                new ExplainRoutes(Tables.names(bench::definitions), new Explainer(rows, facts), owners),
                new ReceiptRoutes(
                        new ReceiptService(
                                bench::definitions,
                                rows,
                                waiting,
                                new GlobalReceipts(
                                        rows, facts, shardRoutes::progress, shardRoutes::serves, shardRoutes::isKnown)),
                        Tables::catalog,
                        QueryLimits.USUAL,
                        owners),
                new VerifyRoutes(
                        bench::definitions,
                        desk,
                        bench.shards(),
                        new GroupVerifications(
                                new WorkerIdentity(URI.create("http://127.0.0.1:1"), "worker-1", ""),
                                "a",
                                group,
                                bench.clock())),
                events,
                new CatalogRoutes(new CatalogClient(toWriter, turns), Tables.names(bench::definitions), indexes),
                new AdviseRoutes(
                        new Advisor(bench::definitions, bench.shards(), advised, new PeerUsage(group), bench.clock()),
                        Tables.names(bench::definitions)),
                new PlanRoutes(forecastJobs, bench::definitions),
                () -> defined,
                bench.shards(),
                new Backups(
                        Path.of("target", "backups", UUID.randomUUID().toString()),
                        () -> Map.of(
                                "shards", to -> assertThat(to.toFile().mkdirs()).isTrue()),
                        Optional::empty,
                        bench.clock()));
        server = HttpServer.start(
                new HttpSettings("127.0.0.1", 0, THREADS, Duration.ofMillis(200)),
                Security.open("127.0.0.1", secured, Tables.names(bench::definitions)::spellings, bench.clock()),
                ofCalls,
                new WorkerHealth(
                        () -> true, Optional::empty, bench.shards(), Map::of, () -> true, () -> true, List::of),
                () -> "",
                WorkerRoutes.OPEN_API,
                routes);
    }

    /** Applies what was put into the log. */
    void deliver() {
        bench.deliver(shard, reading, films.take());
    }

    private long pause(String table, boolean paused, LongConsumer memory) {
        TableDefinition named = Tables.catalog().table(table).orElseThrow();
        if (paused) {
            bench.pause(named);
        } else {
            bench.resume(named);
        }
        return bench.definitions().version();
    }

    /** Applies what the shard has given back, as it does while its table is paused. */
    void deliverAgain() {
        OpenShard.Start again = Objects.requireNonNull(shard.takeStart());
        reading = again.reading();
        bench.deliver(shard, reading, films.from(again.position().offset()));
    }

    WorkerRoutes routes() {
        return routes;
    }

    URI at(String path) {
        return URI.create("http://127.0.0.1:" + server.port() + path);
    }

    HttpResponse<byte[]> get(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .build();
        return PUBLISHED.check(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }

    HttpResponse<byte[]> post(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .POST(HttpRequest.BodyPublishers.noBody())
                .build();
        return PUBLISHED.check(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }

    HttpResponse<byte[]> post(String path, String json) throws Exception {
        return post(path, "application/json", json.replace('\'', '"'));
    }

    HttpResponse<byte[]> postYaml(String path, String yaml) throws Exception {
        return post(path, "application/yaml", yaml);
    }

    private HttpResponse<byte[]> post(String path, String type, String text) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .header("Content-Type", type)
                .POST(HttpRequest.BodyPublishers.ofString(text))
                .build();
        return PUBLISHED.check(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }

    /** The status of an answer whose body may have no end. */
    int status(String path) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .timeout(Duration.ofSeconds(10))
                .build();
        HttpResponse<InputStream> answer =
                PUBLISHED.checkHead(client.send(request, HttpResponse.BodyHandlers.ofInputStream()));
        answer.body().close();
        return answer.statusCode();
    }

    JsonNode json(String path) throws Exception {
        return RowJson.parse(get(path).body());
    }

    String text(String path) throws Exception {
        return new String(get(path).body(), StandardCharsets.UTF_8);
    }

    @Override
    public void close() {
        events.close();
        server.close();
        toWriter.close();
    }
}
