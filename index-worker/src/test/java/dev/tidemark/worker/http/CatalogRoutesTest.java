package dev.tidemark.worker.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DefinitionsJson;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.IndexOperation;
import dev.tidemark.catalog.OperationRefusedException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Call;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Requests;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.index.Projection;
import dev.tidemark.index.RowFilter;
import dev.tidemark.row.BadInputException;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Against a writer that keeps its definitions in memory, and lets somebody else be first as often as it is told. */
class CatalogRoutesTest {
    private static final String BY_RATING = "{'table':'films','index':'by_rating','key':['rating'],'where':{}}";

    private final HttpClient client = HttpClient.newHttpClient();
    private volatile Definitions current = Definitions.first(Tables.catalog(), Instant.EPOCH);
    private volatile int othersFirst;
    private volatile Optional<IndexOperation> othersOrder = Optional.empty();
    private volatile boolean outcomeUnknown;
    private final HttpServer writer = writer();
    private final WorkerServer worker;

    CatalogRoutesTest() throws Exception {
        worker = new WorkerServer(URI.create("http://127.0.0.1:" + writer.port()));
    }

    @AfterEach
    void stop() {
        worker.close();
        writer.close();
    }

    @Test
    void createsAnIndexAndTellsWhereItIs() throws Exception {
        long next = current.nextGeneration();

        HttpResponse<byte[]> answer = send("POST", "/v1/indexes", BY_RATING);

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(answer.headers().firstValue("Location")).contains("/v1/indexes/by_rating");
        assertThat(json(answer).toString())
                .isEqualTo("{\"index\":\"by_rating\",\"table\":\"films\",\"generation\":" + next + ",\"version\":2}");
        assertThat(current.index("films", "by_rating")).isPresent();
        assertThat(current.catalog().indexes())
                .hasSize(Tables.catalog().indexes().size() + 1);
    }

    @Test
    void creatingWhatIsThereChangesNothingAndAnotherDefinitionIsAConflict() throws Exception {
        send("POST", "/v1/indexes", BY_RATING);

        assertThat(send("POST", "/v1/indexes", BY_RATING).statusCode()).isEqualTo(202);
        assertThat(current.version()).isEqualTo(2);
        HttpResponse<byte[]> other = send("POST", "/v1/indexes", BY_RATING.replace("['rating']", "['year']"));
        assertThat(other.statusCode()).isEqualTo(409);
        assertThat(json(other).path("detail").asText()).contains("films", "by_rating", "another definition");
    }

    @Test
    void aChangeOfOneIndexLeavesTheConditionsOfAnother() throws Exception {
        String odd = "{'table':'films','index':'odd','key':['rating'],'where':{'title':'a\u0085 b\u2028c\u2029 d'}}";
        assertThat(send("POST", "/v1/indexes", odd).statusCode()).isEqualTo(202);
        Generation before = current.index("films", "odd").orElseThrow().current();

        assertThat(send("POST", "/v1/indexes", BY_RATING).statusCode()).isEqualTo(202);
        assertThat(send("DELETE", "/v1/indexes/films.by_year", "").statusCode()).isEqualTo(202);

        assertThat(current.index("films", "odd").orElseThrow().current()).isEqualTo(before);
        assertThat(before.definition().where().toString()).contains("a\u0085 b\u2028c\u2029 d");
    }

    @Test
    void namesWhatIsWrongWithAnIndex() throws Exception {
        assertDetail(send("POST", "/v1/indexes", "{'index':'x','key':['a']}"), "expected a name as table");
        assertDetail(send("POST", "/v1/indexes", "{'table':'films','key':['a']}"), "expected a name as index");
        assertDetail(send("POST", "/v1/indexes", "{'table':'none','index':'x','key':['a']}"), "films, people");
        assertDetail(send("POST", "/v1/indexes", "{'table':'films','index':'X','key':['a']}"), "bad name");
        HttpResponse<byte[]> misspelt = send("POST", "/v1/indexes", "{'table':'films','index':'x','keys':['a']}");
        assertDetail(misspelt, "keys");
        assertThat(RowJson.parse(misspelt.body()).path("detail").textValue())
                .as("no place in a text that the client has not sent")
                .doesNotContain("request:");
        assertThat(current.version()).isEqualTo(1);
    }

    @Test
    void dropsAnIndex() throws Exception {
        HttpResponse<byte[]> answer = send("DELETE", "/v1/indexes/films.by_year", "");

        assertThat(answer.statusCode()).isEqualTo(202);
        assertThat(json(answer).path("version").asLong()).isEqualTo(2);
        assertThat(current.index("films", "by_year")).isEmpty();
        assertThat(send("DELETE", "/v1/indexes/by_year", "").statusCode()).isEqualTo(404);
    }

    @ParameterizedTest
    @EnumSource(names = {"ROLLBACK", "CANCEL"})
    void aMoveThatWasTakenBackForOneIndexDoesNotBeginAgainWithAnother(IndexOperation.Kind kind) throws Exception {
        Catalog grown = new Catalog(List.of(Tables.films(), Tables.people().with(12)));
        current = current.changed(grown, Instant.EPOCH)
                .with(new IndexOperation(kind, "people", "by_town"), Instant.EPOCH);
        Definitions half = current;

        for (HttpResponse<byte[]> refused : List.of(
                send("DELETE", "/v1/indexes/by_year", ""),
                send("DELETE", "/v1/indexes/people.whole", ""),
                send("POST", "/v1/indexes", BY_RATING))) {
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(json(refused).path("detail").asText()).contains("people.by_town would move", "tidemark apply");
        }
        assertThat(current).isEqualTo(half);
        assertThat(send("DELETE", "/v1/indexes/by_town", "").statusCode()).isEqualTo(202);
        assertThat(current.index("people", "whole")).isEqualTo(half.index("people", "whole"));
        assertThat(send("POST", "/v1/indexes", BY_RATING).statusCode()).isEqualTo(202);
    }

    @Test
    void saysThatAnOrderMayHaveBeenCarriedOutWhereTheAnswerToItIsLost() throws Exception {
        com.sun.net.httpserver.HttpServer breaking =
                com.sun.net.httpserver.HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        breaking.createContext("/v1/catalog", exchange -> {
            byte[] answer = DefinitionsJson.write(current);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
            exchange.close();
        });
        boolean[] proxied = {false};
        breaking.createContext("/v1/catalog/orders", exchange -> {
            if (proxied[0]) {
                byte[] page = "<html>Bad gateway</html>".getBytes(UTF_8);
                exchange.sendResponseHeaders(502, page.length);
                exchange.getResponseBody().write(page);
            }
            exchange.close();
        });
        breaking.start();
        try (WorkerServer other = new WorkerServer(
                URI.create("http://127.0.0.1:" + breaking.getAddress().getPort()))) {
            HttpResponse<byte[]> answer = other.post("/v1/indexes/by_year/rollback", "");
            assertThat(answer.statusCode()).isEqualTo(503);
            assertThat(json(answer).path("type").asText()).isEqualTo("tidemark:outcome-unknown");
            proxied[0] = true;
            answer = other.post("/v1/indexes/by_year/rollback", "");
            assertThat(json(answer).path("type").asText()).isEqualTo("tidemark:outcome-unknown");
        } finally {
            breaking.stop(0);
        }
    }

    @Test
    void passesOnThatTheWriterDoesNotKnowWhetherAnOrderWasCarriedOut() throws Exception {
        outcomeUnknown = true;
        HttpResponse<byte[]> answer = send("DELETE", "/v1/indexes/by_year", "");
        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(json(answer).path("type").asText()).isEqualTo("tidemark:outcome-unknown");
        assertThat(json(answer).path("detail").asText()).contains("version of the catalog");
    }

    @Test
    void makesTheChangeAnewWhenSomebodyElseWasFirst() throws Exception {
        othersFirst = 3;

        assertThat(send("DELETE", "/v1/indexes/by_year", "").statusCode()).isEqualTo(202);
        assertThat(current.index("films", "by_year")).isEmpty();

        othersFirst = 4;
        assertThat(send("POST", "/v1/indexes", BY_RATING).statusCode()).isEqualTo(503);
    }

    @ParameterizedTest
    @EnumSource(names = {"ROLLBACK", "CANCEL"})
    void anOrderIsNotGivenAgainWhereAnotherClientWasFirstWithTheSame(IndexOperation.Kind kind) throws Exception {
        build();
        Generation before = byRating().current();
        TableDefinition films = current.wanted().table("films").orElseThrow();
        List<IndexDefinition> indexes = new ArrayList<>(films.indexes());
        indexes.removeIf(index -> index.name().equals("by_rating"));
        indexes.add(new IndexDefinition(
                "films", "by_rating", List.of(KeyPart.of("year")), new Projection.KeysOnly(), RowFilter.NONE));
        TableDefinition changed = new TableDefinition(films.name(), films.primaryKey(), films.partitions(), indexes);
        current = current.changed(new Catalog(List.of(changed, Tables.people())), Instant.EPOCH);
        worker.bench.define(current);
        worker.bench.run();

        othersFirst = 1;
        othersOrder = Optional.of(new IndexOperation(kind, "films", "by_rating"));
        HttpResponse<byte[]> refused = send("POST", "/v1/indexes/by_rating/" + kind.label(), "");

        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(json(refused).path("detail").asText()).contains("films.by_rating was changed meanwhile");
        assertThat(byRating().current()).isEqualTo(before);
    }

    @Test
    void anOrderIsGivenAgainWhereAnotherClientChangedAnotherIndex() throws Exception {
        build();
        othersFirst = 1;
        othersOrder = Optional.of(new IndexOperation(IndexOperation.Kind.CANCEL, "films", "by_year"));

        assertThat(send("POST", "/v1/indexes/by_rating/pause", "").statusCode()).isEqualTo(202);

        assertThat(byRating().paused()).isTrue();
        assertThat(current.index("films", "by_year")).isEmpty();
    }

    private DesiredIndex byRating() {
        return current.index("films", "by_rating").orElseThrow();
    }

    @Test
    void passesOrdersOn() throws Exception {
        build();
        assertThat(send("POST", "/v1/indexes/by_rating/pause", "").statusCode()).isEqualTo(202);
        assertThat(current.index("films", "by_rating").orElseThrow().paused()).isTrue();
        assertThat(send("POST", "/v1/indexes/by_rating/resume", "").statusCode())
                .isEqualTo(202);
        assertThat(current.index("films", "by_rating").orElseThrow().paused()).isFalse();
        assertThat(send("POST", "/v1/indexes/by_rating/cancel", "").statusCode())
                .isEqualTo(202);
        assertThat(current.index("films", "by_rating")).isEmpty();

        HttpResponse<byte[]> refused = send("POST", "/v1/indexes/by_year/rollback", "");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(json(refused).path("detail").asText()).contains("is the only one");
    }

    @Test
    void pausesATableInTheDefinitionsThoughOthersChangeThemMeanwhile() throws Exception {
        try (ServiceConnection connection =
                new ServiceConnection(ServiceClient.plain(URI.create("http://127.0.0.1:" + writer.port())))) {
            CatalogClient catalog = new CatalogClient(connection, new WriterCallLimit(1, new SteadyClock()));
            othersFirst = 2;
            assertThat(catalog.pause("films", true, bytes -> {})).isEqualTo(2);
            assertThat(current.table("films").orElseThrow().pausedSince()).contains(Instant.EPOCH);
            assertThat(catalog.pause("films", false, bytes -> {})).isEqualTo(3);
            assertThat(current.table("films").orElseThrow().pausedSince()).isEmpty();
            othersFirst = 9;
            assertThatThrownBy(() -> catalog.pause("films", true, bytes -> {}))
                    .isInstanceOf(ProblemException.class)
                    .hasMessageContaining("nothing was changed");
            othersFirst = 0;
        }
    }

    @Test
    void refusesToPauseOrGiveUpWhatIsComplete() throws Exception {
        build();
        for (String order : List.of("pause", "cancel")) {
            HttpResponse<byte[]> refused = send("POST", "/v1/indexes/by_year/" + order, "");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(json(refused).path("detail").asText()).contains("films.by_year is ready since");
        }
        assertThat(current.version()).isEqualTo(2);
        assertThat(current.index("films", "by_year")).isPresent();
    }

    @Test
    void refusesToGiveUpWhatAnswersInAnotherReplicaGroup() throws Exception {
        worker.bench.openAll("people", 4);
        ChangeLog log = new ChangeLog(Tables.people());
        ShardId shard = new ShardId("people", Tables.people().partitionOf(log.key("7")));
        log.put(7, "{\"id\":7,\"town\":\"Oslo\",\"name\":\"Ada\"}").heartbeat(8);
        OpenShard open = worker.bench.shards().find(shard).orElseThrow();
        worker.bench.deliver(open, Objects.requireNonNull(open.takeStart()).reading(), log.take());
        send("POST", "/v1/indexes", "{'table':'people','index':'by_name','key':['name']}");
        worker.bench.define(current);
        worker.bench.run();
        assertThat(worker.json("/v1/indexes/by_name").at("/life/state").asText())
                .isEqualTo("building");
        try (WorkerServer other = new WorkerServer(URI.create("http://127.0.0.1:" + writer.port()))) {
            other.bench.define(current);
            other.bench.openAll("people", 4);
            other.bench.run();
            for (int each = 0; each < 4; each++) {
                worker.others("b", URI.create(other.at("").toString()), new ShardId("people", each));
            }
            HttpResponse<byte[]> refused = send("POST", "/v1/indexes/by_name/cancel", "");
            assertThat(refused.statusCode()).isEqualTo(409);
            assertThat(json(refused).path("detail").asText()).contains("people.by_name is ready since");
        }
        HttpResponse<byte[]> refused = send("POST", "/v1/indexes/by_name/cancel", "");
        assertThat(refused.statusCode()).as("the other is gone").isEqualTo(409);
        assertThat(json(refused).path("detail").asText()).contains("does not know whether people.by_name is");
        assertThat(current.index("people", "by_name")).isPresent();
        worker.owners.clear();
        worker.others("b", URI.create("http://127.0.0.1:1"));
        assertThat(send("POST", "/v1/indexes/by_name/cancel", "").statusCode()).isEqualTo(202);
    }

    @Test
    void refusesToGiveUpABuildUntilTheReplicaGroupsAreKnown() throws Exception {
        build();
        worker.tables.add("a table whose notes are not read");

        HttpResponse<byte[]> refused = send("POST", "/v1/indexes/by_rating/cancel", "");
        assertThat(refused.statusCode()).isEqualTo(409);
        assertThat(json(refused).path("detail").asText())
                .contains("does not know whether films.by_rating is", "other replica groups");
        assertThat(current.index("films", "by_rating")).isPresent();

        worker.shardRoutes.readSoon();
        worker.shardRoutes.agent().doWork();
        assertThat(send("POST", "/v1/indexes/by_rating/cancel", "").statusCode())
                .isEqualTo(202);
    }

    /** Lets the worker begin an index that nobody copies. */
    private void build() throws Exception {
        worker.films.put(1, "{\"id\":1,\"year\":1942,\"rating\":8}");
        worker.deliver();
        send("POST", "/v1/indexes", BY_RATING);
        worker.bench.define(current);
        worker.bench.run();
        assertThat(worker.json("/v1/indexes/by_rating").at("/life/state").asText())
                .isEqualTo("building");
    }

    @Test
    void showsOneIndexWithItsShards() throws Exception {
        JsonNode index = worker.json("/v1/indexes/by_year");

        assertThat(index.path("index").asText()).isEqualTo("by_year");
        assertThat(index.path("life").path("generation").asLong()).isPositive();
        assertThat(index.path("shards")).hasSize(1);
        assertThat(index.path("shards").path(0).path("phase").asText()).isNotEmpty();
        assertThat(index.path("actual").toString())
                .isEqualTo(
                        "{\"rows\":0,\"entries\":0,\"diskBytes\":0,\"memoryBytes\":0,\"refused\":0,\"buildSeconds\":null}");
        assertThat(index.path("refusedRows").isEmpty()).isTrue();
        assertThat(index.has("forecast")).isFalse();
        assertThat(worker.get("/v1/indexes/none").statusCode()).isEqualTo(404);
    }

    private static void assertDetail(HttpResponse<byte[]> answer, String text) throws Exception {
        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(json(answer).path("detail").asText()).contains(text);
    }

    private HttpResponse<byte[]> send(String method, String path, String body) throws Exception {
        HttpRequest request = HttpRequest.newBuilder(worker.at(path))
                .method(
                        method,
                        body.isEmpty() ? BodyPublishers.noBody() : BodyPublishers.ofString(body.replace('\'', '"')))
                .header("Content-Type", "application/json")
                .build();
        return WorkerServer.PUBLISHED.check(client.send(request, HttpResponse.BodyHandlers.ofByteArray()));
    }

    private static JsonNode json(HttpResponse<byte[]> answer) throws Exception {
        return RowJson.parse(answer.body());
    }

    private HttpServer writer() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200)),
                    List::of,
                    () -> "",
                    WorkerRoutes.OPEN_API,
                    List.of(
                            Route.get(
                                    "/v1/catalog",
                                    Permission.NOTHING,
                                    call -> call.result(DefinitionsJson.write(current))),
                            Route.put("/v1/catalog", Permission.NOTHING, call -> change(call, wanted(call)))
                                    .taking(call -> 1 << 20),
                            Route.post(
                                    "/v1/catalog/orders",
                                    Permission.NOTHING,
                                    call -> change(call, ordered(call.body())))));
        } catch (PortInUseException e) {
            throw new AssertionError(e);
        }
    }

    /** As the writer reads it. */
    private Definitions wanted(Call call) throws BadInputException {
        assertThat(Requests.isJson(call)).isTrue();
        return current.changed(CatalogReader.readJson("catalog", call.body()), Instant.EPOCH);
    }

    private Definitions ordered(byte[] body) throws BadInputException {
        JsonNode order = RowJson.parse(body);
        String named = order.path("order").asText();
        if (named.endsWith("_table")) {
            return pausedTable(order.path("table").asText(), named.equals("pause_table"));
        }
        IndexOperation.Kind kind =
                IndexOperation.Kind.valueOf(order.path("order").asText().toUpperCase(Locale.ROOT));
        return with(new IndexOperation(
                kind, order.path("table").asText(), order.path("index").asText()));
    }

    private Definitions with(IndexOperation order) {
        try {
            return current.with(order, Instant.EPOCH);
        } catch (OperationRefusedException e) {
            throw new ProblemException(Problem.of(409, "Conflict", e.getMessage()));
        }
    }

    private Definitions pausedTable(String table, boolean paused) {
        try {
            return current.withPaused(table, paused, Instant.EPOCH);
        } catch (OperationRefusedException e) {
            throw new AssertionError(e);
        }
    }

    private synchronized void change(Call call, Definitions next) {
        if (othersFirst > 0) {
            othersFirst--;
            current = othersOrder.map(this::with).orElse(current);
            throw new ProblemException(Problem.of(412, "Precondition failed", "somebody was first"));
        }
        if (outcomeUnknown) {
            throw new ProblemException(
                    Problem.of(503, "Outcome unknown", "the answer is lost").typed(ProblemType.OUTCOME_UNKNOWN));
        }
        assertThat(call.header("If-Match")).isEqualTo("\"" + current.version() + "\"");
        current = next;
        call.result(("{\"version\":" + next.version() + "}").getBytes(UTF_8));
    }
}
