package dev.tidemark.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicInteger;

import com.fasterxml.jackson.databind.JsonNode;
import com.sun.net.httpserver.HttpServer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.progress.OffsetNote;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.SourceTree;
import dev.tidemark.worker.clocks.WriterClock;
import dev.tidemark.worker.group.Owner;
import dev.tidemark.worker.group.WorkerIdentity;
import dev.tidemark.worker.lag.EndOffsets;
import dev.tidemark.worker.lag.LagSampler;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.IndexQuery;
import dev.tidemark.worker.query.NoMemoryException;
import dev.tidemark.worker.query.PageMemory;
import dev.tidemark.worker.query.PeerAnswer;
import dev.tidemark.worker.query.QueryLimits;
import dev.tidemark.worker.query.QueryParser;
import dev.tidemark.worker.query.QueryResult;
import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A part of a question over HTTP. */
class PeerRoutesTest {
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private WorkerServer worker;
    private ServiceConnection connection;
    private PeerClient client;
    private IndexNames names;

    @BeforeEach
    void start() throws Exception {
        worker = new WorkerServer(URI.create("http://127.0.0.1:1"));
        connection = new ServiceConnection(ServiceClient.plain(worker.at("/")));
        client = new PeerClient(connection, worker.pages);
        names = Tables.names(worker.bench::definitions);
        for (int id = 1; id <= 20; id++) {
            worker.films.put(id, "{\"id\":" + id + ",\"title\":\"T" + id + "\",\"year\":" + (1980 + id % 5) + "}");
        }
        worker.films.heartbeat(99);
        worker.deliver();
    }

    @AfterEach
    void stop() {
        connection.close();
        worker.close();
    }

    @Test
    void theAnswerIsTheSameAsWithoutANetwork() throws Exception {
        List<QueryResult.Entry> first;
        try (QueryResult part = found(question(Map.of("limit", List.of("7"))))) {
            assertThat(part.entries()).hasSize(7).allMatch(entry -> entry.shard() == 0);
            assertThat(part.next()).isPresent();
            assertThat(part.through()).containsEntry(0, ChangeLog.version(99));
            assertThat(part.freshness().completeUpTo()).contains(ChangeLog.at(99));
            assertThat(part.freshness().staleness()).isPresent();
            first = part.entries();
        }
        try (QueryResult part = found(question(Map.of("year", List.of("1983"), "order", List.of("desc"))))) {
            assertThat(part.entries()).hasSize(4).doesNotContainAnyElementsOf(first.subList(0, 4));
            assertThat(part.next()).isEmpty();
        }
        assertThat(worker.memory.reserved()).isZero();
    }

    @Test
    void statesTheFreshnessOfAllShardsThatItLists() throws Exception {
        AtomicInteger looks = new AtomicInteger();
        List<Runnable> atTheLast = new ArrayList<>();
        AtomicInteger last = new AtomicInteger(Integer.MAX_VALUE);
        WriterClock clock = local -> {
            if (looks.incrementAndGet() == last.get()) {
                atTheLast.forEach(Runnable::run);
            }
            return local;
        };
        try (WorkerServer taking = new WorkerServer(URI.create("http://127.0.0.1:1"), clock)) {
            OpenShard here = taking.bench.open(new ShardId("people", 1));
            ChangeLog log = new ChangeLog(Tables.people()).heartbeat(99);
            taking.bench.deliver(here, Objects.requireNonNull(here.takeStart()).reading(), log.take());
            looks.set(0);
            indexesOf(taking);
            last.set(looks.getAndSet(0));
            atTheLast.add(() -> taking.bench.open(new ShardId("people", 0)));

            JsonNode indexes = indexesOf(taking);

            assertThat(taking.bench.shards().find(new ShardId("people", 0))).isPresent();
            JsonNode index = indexes.path(indexes.size() - 1);
            assertThat(index.path("table").asText()).isEqualTo("people");
            assertThat(index.at("/freshness/completeUpTo").isTextual()).isTrue();
            assertThat(index.path("shards")).hasSize(1);
        }
    }

    private static JsonNode indexesOf(WorkerServer worker) throws IOException {
        try (InputStream said = worker.at(PeerRoutes.INDEXES).toURL().openStream()) {
            return RowJson.mapper().readTree(said).path("indexes");
        }
    }

    @Test
    void theDocumentOfFormatsNamesTheFormOfAnswers() {
        assertThat(SourceTree.lines(SourceTree.ofProject().root().resolve("docs/storage-format.md")))
                .filteredOn(line -> line.startsWith("| calls between workers |"))
                .singleElement()
                .asString()
                .contains("| " + PeerCodec.FORM + " |");
    }

    @Test
    void theQuestionArrivesAsItWas() throws Exception {
        IndexQuery asked = question(
                        Map.of("year.gte", List.of("1981"), "limit", List.of("3"), "max_staleness", List.of("1h")))
                .part(new TreeSet<>(List.of(0)), PATIENCE);
        assertThat(PeerCodec.question(PeerCodec.question(asked), asked.index(), QueryLimits.USUAL))
                .isEqualTo(asked);
        String cursor;
        try (QueryResult part = found(asked)) {
            cursor = part.next().orElseThrow();
        }
        IndexQuery next = question(
                        Map.of("year.gte", List.of("1981"), "limit", List.of("3"), "cursor", List.of(cursor)))
                .part(new TreeSet<>(List.of(0)), PATIENCE);
        assertThat(next.demand().seen()).isNotEmpty();
        assertThat(PeerCodec.question(PeerCodec.question(next), next.index(), QueryLimits.USUAL))
                .isEqualTo(next);
    }

    @Test
    void eachEntryOfAnAnswerTakesMemoryForItsObjects() throws Exception {
        IndexQuery part = question(Map.of("limit", List.of("10000")));
        byte[] bytes;
        try (QueryResult few = found(part)) {
            List<QueryResult.Entry> many = new ArrayList<>();
            for (int times = 0; times < 500; times++) {
                many.addAll(few.entries().subList(0, 20));
            }
            bytes = PeerCodec.answer(
                    new QueryResult(many, few.next(), few.rows(), few.through(), few.freshness(), few.room()));
        }
        MemoryBudget budget = new MemoryBudget(64 << 20);
        PageMemory room = PageMemory.open(budget.part("pages", 1));
        try (QueryResult read = PeerCodec.answer(bytes, part, room)) {
            assertThat(read.entries()).hasSize(10_000);
            assertThat(budget.reserved()).isBetween(10_000L * (512 + 50), 10_000L * (512 + 500));
        }
        MemoryBudget small = new MemoryBudget(1 << 20);
        try (PageMemory little = PageMemory.open(small.part("pages", 1))) {
            assertThatThrownBy(() -> PeerCodec.answer(bytes, part, little)).isInstanceOf(NoMemoryException.class);
        }
    }

    @Test
    void anAnswerWithMoreEntriesThanWereAskedForIsNone() throws Exception {
        byte[] bytes;
        try (QueryResult seven = found(question(Map.of("limit", List.of("7"))))) {
            bytes = PeerCodec.answer(seven);
        }
        for (int limit : List.of(6, 7)) {
            IndexQuery part = question(Map.of("limit", List.of(Integer.toString(limit))));
            try (PageMemory room = PageMemory.open(new MemoryBudget(1 << 20).part("pages", 1))) {
                if (limit == 7) {
                    assertThat(PeerCodec.answer(bytes, part, room).entries()).hasSize(7);
                } else {
                    assertThatThrownBy(() -> PeerCodec.answer(bytes, part, room))
                            .isInstanceOf(IOException.class)
                            .hasMessage("expected at most 6 entries, but got 7");
                }
            }
        }
    }

    @Test
    void refusesWhatItDoesNotHold() throws Exception {
        IndexNames.Found people = names.find("by_town");
        IndexQuery part =
                QueryParser.parse(people, Map.of(), QueryLimits.USUAL).part(new TreeSet<>(List.of(2)), PATIENCE);
        assertThat(ask(part))
                .isInstanceOfSatisfying(
                        PeerAnswer.NotHeld.class,
                        refused -> assertThat(refused.detail())
                                .isEqualTo("this worker does not hold partition 2 of table people"));

        worker.refusal = Optional.of("paused for too long");
        assertThat(ask(question(Map.of()))).isEqualTo(new PeerAnswer.NotHeld("paused for too long"));
        assertThat(worker.memory.reserved()).isZero();
    }

    @Test
    void refusesWhatItCannotAnswer() throws Exception {
        assertThat(ask(question(Map.of("max_staleness", List.of("0s"), "wait", List.of("1ms")))))
                .isInstanceOf(PeerAnswer.NotAnswerable.class);
        IndexQuery good = question(Map.of());
        IndexQuery unknown = new IndexQuery(
                        good.index().in(new Generation(4_711, good.index().definition())),
                        good.partitions(),
                        good.range(),
                        good.order(),
                        good.after(),
                        good.limit(),
                        false,
                        false,
                        good.demand())
                .part(good.partitions(), PATIENCE);
        assertThat(ask(unknown)).isInstanceOf(PeerAnswer.NotServing.class);
        assertThat(worker.memory.reserved()).isZero();
    }

    @Test
    void aWorkerThatIsNotThereIsUnreachable() throws Exception {
        assertThat(client.ask(URI.create("http://127.0.0.1:1"), question(Map.of()))
                        .get())
                .isEqualTo(new PeerAnswer.Unreachable("it cannot be reached"));
        assertThat(worker.memory.reserved()).isZero();
    }

    @Test
    void aQuestionBeyondTheLimitsIsRefused() throws Exception {
        String known = "{\"index\":\"films.by_year\",\"generation\":"
                + names.find("by_year").generation().id();
        for (String rest : List.of(
                "}", ",\"partitions\":[9],\"limit\":1}", ",\"partitions\":[0],\"limit\":1,\"wait\":\"soon\"}")) {
            assertThat(worker.post("/v1/peer/entries", known + rest).statusCode())
                    .as(rest)
                    .isEqualTo(400);
        }
    }

    @Test
    void showsAllWorkersAndWhatNoneOfThemHas() throws Exception {
        JsonNode alone = workers();
        assertThat(alone.path("workers")).hasSize(1);
        assertThat(alone.at("/workers/0/shards/0").toString())
                .startsWith(
                        "{\"table\":\"films\",\"index\":null,\"partition\":0,\"state\":\"steady\",\"watermark\":\"");
        assertThat(alone.path("unowned")).hasSize(4);
        assertThat(alone.at("/unowned/0").toString())
                .isEqualTo("{\"table\":\"people\",\"partition\":0,\"replicaGroup\":\"a\"}");

        WorkerIdentity silent = new WorkerIdentity(URI.create("http://127.0.0.1:1/other"), "worker-2", "");
        worker.owners.add(new Owner(
                new ShardId("people", 2),
                "b",
                true,
                new OffsetNote(
                        new Progress(ChangeLog.at(5), ChangeLog.version(5)),
                        silent.url(),
                        silent.instance(),
                        new TreeSet<>())));
        worker.shardRoutes.readSoon();
        worker.shardRoutes.agent().doWork();
        JsonNode both = workers();
        assertThat(both.path("workers")).hasSize(2);
        assertThat(both.at("/workers/1/instance").asText()).isEqualTo("worker-2");
        assertThat(both.at("/workers/1/replicaGroup").asText()).isEqualTo("b");
        assertThat(both.at("/workers/1/shards/0/state").asText()).isEqualTo("unknown");
        assertThat(both.at("/workers/1/shards/0/watermark").asText())
                .isEqualTo(ChangeLog.at(5).toString());
        assertThat(both.path("unowned")).hasSize(4 + 5);
    }

    @Test
    void saysHowOldTheWatermarkOfEachShardIsByTheWritersClock() throws Exception {
        note(URI.create("http://127.0.0.1:1/other"), "worker-2");
        Duration passed = Duration.ofSeconds(90);
        worker.bench.clock().advance(passed);
        Instant now = worker.bench.clock().instant();

        JsonNode shown = workers();

        assertThat(shown.path("workers")).hasSize(2).allSatisfy(one -> {
            JsonNode shard = one.at("/shards/0");
            Instant watermark = Instant.parse(shard.path("watermark").asText());
            assertThat(shard.path("stalenessMs").asLong())
                    .as("%s", shown)
                    .isGreaterThanOrEqualTo(passed.toMillis())
                    .isEqualTo(Duration.between(watermark, now).toMillis());
        });
    }

    @Test
    void showsWhichPartIsHereOfAShardThatComesFromAnotherWorker() throws Exception {
        List<JsonNode> meanwhile = new ArrayList<>();
        ShardId shard = new ShardId("people", 2);
        URI holder = URI.create("http://other:8082");
        worker.bench.copies().copying(shard, new CopyProgress(holder, 12, 80), () -> {
            try {
                meanwhile.add(workers().at("/workers/0/shards/1"));
                meanwhile.add(client.read(URI.create(worker.at("").toString()), PeerRoutes.SHARDS)
                        .get()
                        .orElseThrow()
                        .at("/shards/1"));
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        worker.bench.open(shard);

        assertThat(meanwhile).hasSize(2).allSatisfy(one -> {
            assertThat(one.path("partition").asInt()).isEqualTo(2);
            assertThat(one.path("state").asText()).isEqualTo("copying");
            assertThat(one.path("copyFrom").asText()).isEqualTo("http://other:8082");
            assertThat(one.path("copiedBytes").asLong()).isEqualTo(12);
            assertThat(one.path("copyBytes").asLong()).isEqualTo(80);
        });
        JsonNode after = workers().at("/workers/0/shards/1");
        assertThat(after.path("state").asText()).isNotEqualTo("copying");
        assertThat(after.has("copyBytes")).isFalse();
    }

    @Test
    void aWorkerShowsItsOwnShardsToAnother() throws Exception {
        assertThat(client.read(URI.create(worker.at("").toString()), PeerRoutes.SHARDS)
                        .get()
                        .orElseThrow()
                        .at("/shards"))
                .hasSize(1);
        assertThat(client.read(URI.create("http://127.0.0.1:1"), PeerRoutes.SHARDS)
                        .get())
                .isEmpty();
    }

    @Test
    void namesWorkersThatCannotBeAskedAndAddressesThatAreWrong() throws Exception {
        assertThat(workers().path("problems")).isEmpty();
        HttpServer strict = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        strict.createContext("/", exchange -> exchange.sendResponseHeaders(403, -1));
        strict.start();
        try {
            URI refusing = URI.create("http://127.0.0.1:" + strict.getAddress().getPort());
            for (URI url :
                    List.of(refusing, URI.create("http://127.0.0.1:1"), URI.create("http://0.0.0.0:1"), refusing)) {
                note(url, "worker-" + (2 + worker.owners.size()));
            }
            List<String> problems = new ArrayList<>();
            workers().path("problems").forEach(problem -> problems.add(problem.asText()));
            assertThat(problems)
                    .contains(
                            "worker " + refusing + " refuses this worker's peer token: give its token the scope peer",
                            "worker http://127.0.0.1:1 cannot be reached at its advertised URL",
                            "a worker advertises http://0.0.0.0:1, which other workers cannot reach: set advertised.url",
                            "workers with the instances worker-2, worker-5 all advertise " + refusing
                                    + ": set advertised.url of each to its own address");
        } finally {
            strict.stop(0);
        }
    }

    @Test
    void saysHowOftenClientsAndOtherWorkersReadEachShard() throws Exception {
        sample();
        for (int times = 0; times < 6; times++) {
            found(question(Map.of("year", List.of("1983")))).close();
            assertThat(worker.get("/v1/indexes/by_year/entries?year=1983").statusCode())
                    .isEqualTo(200);
        }
        assertThat(worker.get("/v1/indexes/by_year/entries?limit=0").statusCode())
                .as("this one reads nothing")
                .isEqualTo(400);
        assertThat(shard().path("queriesPerSecond").isNull())
                .as("no two samples yet")
                .isTrue();
        worker.bench.clock().advance(Duration.ofSeconds(2));
        sample();
        assertThat(shard().path("queriesPerSecond").asDouble()).isEqualTo(6);
        worker.bench.clock().advance(Duration.ofSeconds(2));
        sample();
        assertThat(shard().path("queriesPerSecond").asDouble()).isEqualTo(3);
    }

    private JsonNode shard() throws Exception {
        JsonNode shard = workers().at("/workers/0/shards/0");
        JsonNode toWorkers = client.read(URI.create(worker.at("").toString()), PeerRoutes.SHARDS)
                .get()
                .orElseThrow();
        assertThat(toWorkers.at("/shards/0")).isEqualTo(shard);
        return shard;
    }

    /** Takes note of how much has been read and applied, as an agent does at intervals. */
    private void sample() {
        new LagSampler(
                        worker.bench.lag(),
                        shards -> new EndOffsets.Ends(Map.of(new ShardId("films", 0), 21L), Map.of()),
                        worker.bench.clock())
                .run();
    }

    private void note(URI url, String instance) throws InterruptedException {
        OffsetNote note =
                new OffsetNote(new Progress(ChangeLog.at(5), ChangeLog.version(5)), url, instance, new TreeSet<>());
        worker.owners.add(new Owner(new ShardId("people", worker.owners.size()), "a", true, note));
        worker.shardRoutes.look();
        worker.shardRoutes.agent().doWork();
    }

    private JsonNode workers() throws Exception {
        HttpResponse<byte[]> answer = worker.get("/v1/workers");
        assertThat(answer.statusCode()).isEqualTo(200);
        return RowJson.mapper().readTree(answer.body());
    }

    private IndexQuery question(Map<String, List<String>> parameters) throws Exception {
        IndexQuery query = QueryParser.parse(names.find("by_year"), parameters, QueryLimits.USUAL);
        return query.part(query.index().partitions(), query.demand().patience());
    }

    private QueryResult found(IndexQuery part) throws Exception {
        PeerAnswer answer = ask(part);
        assertThat(answer).isInstanceOf(PeerAnswer.Found.class);
        return ((PeerAnswer.Found) answer).part();
    }

    private PeerAnswer ask(IndexQuery part) throws Exception {
        return client.ask(URI.create(worker.at("").toString()), part).get();
    }
}
