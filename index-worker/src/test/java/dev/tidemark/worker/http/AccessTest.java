package dev.tidemark.worker.http;

import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.http.Permission;
import dev.tidemark.http.SecuritySettings;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.testkit.SecretFiles;

import static org.assertj.core.api.Assertions.assertThat;

/** Which token may make which call, indexes apart. */
class AccessTest {
    private static final String TOKENS = "{'tokens':["
            + "{'name':'admin','token':'admin-0123456789-0123','scopes':['admin']},"
            + "{'name':'short','token':'short-0123456789-0123','scopes':['read:by_actor']},"
            + "{'name':'long','token':'long-0123456789-0123','scopes':['read:films.by_actor','read:metrics']},"
            + "{'name':'whole','token':'whole-0123456789-0123','scopes':['read:films.whole']},"
            + "{'name':'films','token':'films-0123456789-0123','scopes':['read:films.*','facts:films']},"
            + "{'name':'loader','token':'loader-0123456789-0123','scopes':['write:films']}]}";

    private static final String RECEIPT = new SessionToken("films", Map.of()).encode();
    private static final List<String> CALLS = List.of(
            "GET /",
            "GET /console/main.js",
            "GET /openapi.yaml",
            "GET /v1/indexes",
            "GET /v1/lag",
            "GET /v1/events",
            "GET /metrics",
            "GET /v1/indexes/by_actor/entries",
            "GET /v1/indexes/by_actor",
            "GET /v1/indexes/films.whole/entries",
            "GET /v1/indexes/people.whole/entries",
            "GET /v1/indexes/nothing/entries",
            "GET /v1/indexes/by_actor/entries?fetch=row",
            "GET /v1/receipts/" + RECEIPT,
            "GET /v1/quarantine",
            "POST /v1/tables/films/pause",
            "DELETE /v1/indexes/by_actor",
            "POST /v1/indexes/by_actor/rollback",
            "POST /v1/verify",
            "POST /v1/plan");

    @TempDir
    private Path directory = Path.of("");

    @ParameterizedTest
    @CsvSource({
        // In the order of the calls: y for anything that is not 401 or 403.
        "none,   yyy ---- ----- -- ------",
        "admin,  yyy yyyy ----- -- yyyyyy",
        "short,  yyy yyy- yy--- -- ------",
        "long,   yyy yyyy yy--- -- ------",
        "whole,  yyy yyy- --y-- -- ------",
        "films,  yyy yyy- yyy-- yy ------",
        "loader, yyy yyy- ----- -y ------"
    })
    void allowsEachTokenItsOwnIndexes(String name, String expected) throws Exception {
        Path tokens = SecretFiles.write(directory.resolve("tokens"), TOKENS);
        SecuritySettings open = SecuritySettings.OPEN;
        SecuritySettings settings = new SecuritySettings(
                false, Optional.of(tokens), open.server(), open.client(), Optional.empty(), Optional.empty());
        StringBuilder found = new StringBuilder();
        try (WorkerServer server = new WorkerServer(URI.create("http://127.0.0.1:1"), settings)) {
            for (String call : CALLS) {
                int status = status(server, call, name);
                found.append(status == 401 || status == 403 ? '-' : 'y');
            }
        }
        assertThat(found.toString()).isEqualTo(expected.replace(" ", ""));
    }

    @Test
    void everyCallSaysWhatItNeeds() throws Exception {
        try (WorkerServer server = new WorkerServer(URI.create("http://127.0.0.1:1"))) {
            assertThat(server.routes().routes())
                    .allSatisfy(route -> assertThat(route.need() == Permission.NOTHING)
                            .as(route.path())
                            .isEqualTo(route.path().equals("/") || route.path().startsWith("/console/")));
        }
    }

    private static int status(WorkerServer server, String call, String name) throws Exception {
        String[] parts = call.split(" ", 2);
        HttpRequest.Builder request = HttpRequest.newBuilder(server.at(parts[1]))
                .method(parts[0], BodyPublishers.noBody())
                .timeout(Duration.ofSeconds(10));
        if (!name.equals("none")) {
            request.header("Authorization", "Bearer " + name + "-0123456789-0123");
        }
        // Only the head: the body of one of them has no end.
        HttpResponse<InputStream> answer = WorkerServer.PUBLISHED.checkHead(
                HttpClient.newHttpClient().send(request.build(), BodyHandlers.ofInputStream()));
        answer.body().close();
        return answer.statusCode();
    }
}
