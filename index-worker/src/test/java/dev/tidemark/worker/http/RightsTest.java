package dev.tidemark.worker.http;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.http.SecuritySettings;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowJson;
import dev.tidemark.testkit.RightsTable;
import dev.tidemark.testkit.SecretFiles;
import dev.tidemark.worker.store.ShardId;

import static org.assertj.core.api.Assertions.assertThat;

/** Which answers show what is of rows, to which tokens. */
@Timeout(value = 120, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RightsTest {
    private static final String TOKENS = "{'tokens':["
            + "{'name':'worker','token':'worker-0123456789-0123','scopes':['peer']},"
            + "{'name':'metrics','token':'metrics-0123456789-0123','scopes':['read:metrics']},"
            + "{'name':'admin','token':'admin-0123456789-0123','scopes':['admin']},"
            + "{'name':'reader','token':'reader-0123456789-0123','scopes':['read:by_actor']},"
            + "{'name':'stranger','token':'stranger-0123456789-0123','scopes':"
            + "['read:people.by_town','facts:people','write:people','read:metrics']},"
            + "{'name':'keeper','token':'keeper-0123456789-0123','scopes':['admin','read:films.*','facts:films']}]}";

    /** An actor that only the index, and the row in it, have. */
    private static final String ACTOR = "Weaver";

    /** In rows that the index does not have. */
    private static final String SECRET = "unheard";

    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    @TempDir
    private Path directory = Path.of("");

    private Optional<WorkerServer> running = Optional.empty();

    @BeforeEach
    void follow() throws Exception {
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS.replace('\'', '"'));
        SecuritySettings open = SecuritySettings.OPEN;
        WorkerServer server = new WorkerServer(
                URI.create("http://127.0.0.1:1"),
                new SecuritySettings(
                        false, Optional.of(tokens), open.server(), open.client(), Optional.empty(), Optional.empty()));
        running = Optional.of(server);
        server.films.put(97, "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"" + ACTOR + "\"]}");
        server.films.put(98, "{\"id\":2,\"title\":\"" + SECRET + "\",\"year\":1979,\"cast\":[]}");
        server.films.garbage("\"" + SECRET + "\"");
        server.films.heartbeat(100);
        server.deliver();
    }

    @AfterEach
    void stop() {
        running.ifPresent(WorkerServer::close);
    }

    @ParameterizedTest
    @CsvSource({"metrics,false", "admin,false", "reader,true", "keeper,true"})
    void adviceShowsValuesToThoseWhoMayReadTheIndex(String token, boolean shown) throws Exception {
        JsonNode report = answer("/v1/advice", token);

        assertThat(report.toString().contains(ACTOR)).isEqualTo(shown);
        assertThat(report.at("/indexes/0/heaviest/0/entries").asInt()).isEqualTo(1);
    }

    @ParameterizedTest
    @CsvSource({"metrics,false", "admin,false", "stranger,false", "reader,true", "keeper,true"})
    void adviceNamesHeavyKeysToThoseWhoMayReadTheIndex(String token, boolean shown) throws Exception {
        WorkerServer server = running.orElseThrow();
        server.bench.clock().advance(Duration.ofMinutes(20));
        for (int id = 101; id < 1_200; id++) {
            server.films.put(
                    id,
                    "{\"id\":" + id + ",\"title\":\"T\",\"year\":1979,\"cast\":[\"Weaver, again and again\",\"A" + id
                            + "\"]}");
        }
        server.deliver();

        JsonNode report = answer("/v1/advice", token);

        JsonNode byActor = report.at("/indexes/0");
        assertThat(byActor.path("heavyKeys")).hasSize(1);
        assertThat(byActor.at("/heavyKeys/0/share").asDouble()).isBetween(0.35, 0.65);
        assertThat(byActor.at("/heavyKeys/0/key").toString()).isEqualTo(shown ? "[\"Weaver, again and again\"]" : "");
        assertThat(report.toString().contains("again and again")).isEqualTo(shown);
        assertThat(report.path("advice").toString()).contains("\"kind\":\"heavy_keys\",\"index\":\"by_actor\"");
    }

    @ParameterizedTest
    @CsvSource({"admin,false", "keeper,true"})
    void theQuarantineShowsRecordsToThoseWhoMayReadRows(String token, boolean shown) throws Exception {
        JsonNode list = answer("/v1/quarantine", token);

        assertThat(list.path("count").asInt()).isEqualTo(1);
        assertThat(list.toString().contains(SECRET)).isEqualTo(shown);
        assertThat(list.at("/records/0/hidden").asBoolean()).isEqualTo(!shown);
        assertThat(list.at("/records/0/table").asText()).isEqualTo("films");
    }

    @ParameterizedTest
    @CsvSource({"reader,false", "keeper,true"})
    void anAnswerNamesQuarantinedRowsToThoseWhoMayReadRows(String token, boolean shown) throws Exception {
        JsonNode page = answer("/v1/indexes/by_actor/entries", token);

        assertThat(page.path("entries")).hasSize(1);
        assertThat(page.at("/freshness/quarantined/count").asInt()).isEqualTo(1);
        assertThat(page.toString().contains(SECRET)).isEqualTo(shown);
    }

    @Test
    void whyARowIsNotInAnIndexIsShownToThoseWhoMayReadRows() throws Exception {
        JsonNode known = answer("/v1/indexes/by_actor/explain?key=2", "keeper");
        assertThat(known.path("outcome").asText()).isEqualTo("no_value");
        assertThat(known.path("version").isNull()).isFalse();

        JsonNode leftOut = answer("/v1/indexes/by_actor/explain?key=2", "reader");
        JsonNode absent = answer("/v1/indexes/by_actor/explain?key=3", "reader");

        assertThat(leftOut.path("outcome").asText()).isEqualTo("not_in_index");
        assertThat(leftOut.toString().replace("\"primaryKey\":2", ""))
                .as("a row that is left out looks like one that is not there")
                .isEqualTo(absent.toString().replace("\"primaryKey\":3", ""));
        JsonNode held = answer("/v1/indexes/by_actor/explain?key=1", "reader");
        assertThat(held.path("outcome").asText()).isEqualTo("in_index");
        assertThat(held.path("factTable").isMissingNode()).isTrue();
    }

    @Test
    void theTableOfCallsHasEveryRouteAndWhatItNeeds() {
        assertThat(RightsTable.first(RightsTable.of("worker")))
                .isEqualTo(RightsTable.of(running.orElseThrow().routes()));
    }

    @Test
    void everyCallIsRefusedWithoutItsScopeAndShowsNoDataOfRowsToOthers() throws Exception {
        for (Map.Entry<String, String> call : RightsTable.of("worker").entrySet()) {
            String scope = call.getValue();
            boolean open = scope.equals("none");
            assertThat(status(call.getKey(), ""))
                    .as(call.getKey() + " without a token")
                    .matches(status -> open || status == 401);
            boolean any = open || scope.equals("any token");
            boolean numbers = any || scope.equals("read:metrics");
            assertThat(status(call.getKey(), "metrics"))
                    .as(call.getKey() + " with read:metrics")
                    .matches(status -> numbers ? isAllowed(status) : status == 403);
            assertThat(status(call.getKey(), "stranger"))
                    .as(call.getKey() + " with the scopes of another table")
                    .matches(status -> numbers ? isAllowed(status) : status == 403);
            boolean admin = numbers || scope.equals("admin");
            assertThat(status(call.getKey(), "admin"))
                    .as(call.getKey() + " with admin")
                    .matches(status -> admin ? isAllowed(status) : status == 403);
            assertThat(status(call.getKey(), scope.equals("peer") ? "worker" : "keeper"))
                    .as(call.getKey() + " with its scope")
                    .matches(RightsTest::isAllowed);
        }
    }

    @Test
    void whyAShardFailedQuotesNothingOfItsRows() throws Exception {
        WorkerServer server = running.orElseThrow();
        server.bench
                .stores()
                .opened(new ShardId("films", 0))
                .failNextCommit(new IllegalArgumentException("no number: " + SECRET));
        server.films.put(101, "{\"id\":3,\"title\":\"Arrival\"}");
        server.deliver();

        for (String path : List.of("/v1/lag", "/health/ready", "/v1/indexes", "/v1/indexes/by_actor/explain?key=1")) {
            HttpResponse<String> answer = CLIENT.send(request(path, "keeper"), BodyHandlers.ofString());
            assertThat(answer.body()).as(path).doesNotContain(SECRET);
        }
        HttpResponse<String> why = CLIENT.send(request("/health/ready", "metrics"), BodyHandlers.ofString());
        assertThat(why.body()).contains("IllegalArgumentException", "see its log");
    }

    private static boolean isAllowed(int status) {
        return status != 401 && status != 403;
    }

    /** The status of a call, whose answer has no data of rows unless its token may read them. */
    private int status(String call, String token) throws Exception {
        String[] parts = call.split(" ", 2);
        String path = parts[1].replace("{index}", "by_actor")
                .replace("{table}", "films")
                .replace("{part}", "main.js")
                .replace("{token}", new SessionToken("films", Map.of()).encode())
                .replace("{id}", "1")
                .replace("/explain", "/explain?key=2");
        HttpRequest.Builder request = HttpRequest.newBuilder(
                        running.orElseThrow().at(path))
                .method(parts[0], HttpRequest.BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(20));
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token + "-0123456789-0123");
        }
        HttpResponse<InputStream> answer = CLIENT.send(request.build(), BodyHandlers.ofInputStream());
        if (!path.startsWith("/v1/peer/")) {
            WorkerServer.PUBLISHED.checkHead(answer);
        }
        try (InputStream body = answer.body()) {
            // The events have no end; they are the lag, which is a call of its own.
            byte[] bytes = path.equals("/v1/events") ? new byte[0] : body.readAllBytes();
            if (!token.equals("keeper")) {
                assertThat(new String(bytes, StandardCharsets.UTF_8))
                        .as(call + " for " + token)
                        .doesNotContain(SECRET, ACTOR);
            }
        }
        return answer.statusCode();
    }

    private JsonNode answer(String path, String token) throws Exception {
        HttpResponse<byte[]> answer =
                WorkerServer.PUBLISHED.check(CLIENT.send(request(path, token), BodyHandlers.ofByteArray()));
        assertThat(answer.statusCode()).isEqualTo(200);
        return RowJson.parse(answer.body());
    }

    private HttpRequest request(String path, String token) {
        return HttpRequest.newBuilder(running.orElseThrow().at(path))
                .header("Authorization", "Bearer " + token + "-0123456789-0123")
                .build();
    }
}
