package dev.tidemark.worker.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

import io.swagger.v3.oas.models.PathItem;
import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import dev.tidemark.http.Route;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.testkit.ProblemTypes;
import dev.tidemark.testkit.QueryParameters;
import dev.tidemark.testkit.SchemaWords;

import static org.assertj.core.api.Assertions.assertThat;

/** The description and the routes say the same. */
class OpenApiTest {
    /** Those that every service has. */
    private static final Set<String> COMMON = Set.of("/health/live", "/health/ready", "/metrics", "/openapi.yaml");

    @Test
    void describesEveryRouteAndNoOther() throws Exception {
        try (WorkerServer server = new WorkerServer(URI.create("http://127.0.0.1:1"))) {
            server.films.heartbeat(1);
            server.deliver();
            assertThat(server.post("/v1/verify", "{'table':'films'}").statusCode())
                    .isEqualTo(202);
            assertThat(server.post(
                                    "/v1/plan",
                                    "{'tables':{'films':{'primaryKey':'id','partitions':1},"
                                            + "'people':{'primaryKey':'id'}}}")
                            .statusCode())
                    .isEqualTo(202);
            SwaggerParseResult parsed = new OpenAPIV3Parser().readContents(server.text("/openapi.yaml"));
            assertThat(parsed.getMessages()).isEmpty();
            Set<String> described = new TreeSet<>();
            for (Map.Entry<String, PathItem> item :
                    parsed.getOpenAPI().getPaths().entrySet()) {
                described.add(item.getKey());
                String path = item.getKey()
                        .replace("{index}", "by_actor")
                        .replace("{table}", "films")
                        .replace("{part}", "main.js")
                        .replace("{token}", new SessionToken("films", Map.of()).encode())
                        .replace("{id}", "1")
                        .replace("/explain", "/explain?key=1");
                boolean reads = item.getValue().getGet() != null;
                if (Set.of("/v1/verify", "/v1/plan").contains(path)) {
                    continue;
                }
                int status = reads ? server.status(path) : server.post(path).statusCode();
                boolean needsTheWriter = !reads && path.startsWith("/v1/indexes/");
                int done = path.equals("/v1/backup") ? 201 : 200;
                assertThat(status).as(path).isEqualTo(needsTheWriter ? 503 : done);
            }
            Set<String> routes = new TreeSet<>(COMMON);
            routes.addAll(registered(server.routes()));
            assertThat(described).isEqualTo(routes);
        }
    }

    @Test
    void everyCallTakesTheParametersThatAreDescribed() throws Exception {
        try (WorkerServer server = new WorkerServer(URI.create("http://127.0.0.1:1"));
                InputStream in = WorkerRoutes.class.getResourceAsStream(WorkerRoutes.OPEN_API)) {
            List<Route> routes = server.routes().routes().stream()
                    .filter(route -> !route.path().startsWith("/v1/peer/"))
                    .toList();
            assertThat(QueryParameters.taken(routes))
                    .containsKey("GET /v1/lag")
                    .isEqualTo(QueryParameters.described(new Yaml().load(in), routes));
        }
    }

    @Test
    void schemasHaveTheWordsOfSchemasAlone() throws IOException {
        try (InputStream in = WorkerRoutes.class.getResourceAsStream(WorkerRoutes.OPEN_API)) {
            assertThat(SchemaWords.strange(new Yaml().load(in))).isEmpty();
        }
    }

    @Test
    void everyKindOfProblemThatCanBeAnsweredIsListed() throws IOException {
        try (InputStream in = WorkerRoutes.class.getResourceAsStream(WorkerRoutes.OPEN_API)) {
            assertThat(ProblemTypes.listed(new Yaml().load(in)))
                    .contains("tidemark:wait-too-long")
                    .isEqualTo(ProblemTypes.answered());
        }
    }

    private static Set<String> registered(WorkerRoutes routes) {
        Set<String> paths = new TreeSet<>();
        // What workers ask each other is not for programs.
        routes.routes().stream()
                .map(Route::path)
                .filter(path -> !path.startsWith("/v1/peer/"))
                .forEach(paths::add);
        return paths;
    }
}
