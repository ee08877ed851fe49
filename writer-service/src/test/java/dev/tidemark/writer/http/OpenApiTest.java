package dev.tidemark.writer.http;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;

import io.swagger.v3.parser.OpenAPIV3Parser;
import io.swagger.v3.parser.core.models.SwaggerParseResult;
import org.junit.jupiter.api.Test;
import org.yaml.snakeyaml.Yaml;

import dev.tidemark.backup.Backups;
import dev.tidemark.http.Route;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.WakeupSignal;
import dev.tidemark.testkit.ProblemTypes;
import dev.tidemark.testkit.QueryParameters;
import dev.tidemark.testkit.SchemaWords;
import dev.tidemark.writer.catalog.CatalogRegistry;
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

class OpenApiTest {
    /** Calls that every service has. */
    private static final Set<String> SHARED =
            Set.of("GET /health/live", "GET /health/ready", "GET /metrics", "GET /openapi.yaml");

    @Test
    void theDescriptionIsValid() throws IOException {
        assertThat(description().getMessages()).isEmpty();
        assertThat(description().getOpenAPI().getOpenapi()).isEqualTo("3.1.0");
    }

    @Test
    void everyCallIsDescribedAndEveryDescribedCallIsThere() throws IOException {
        Set<String> described = new TreeSet<>();
        description()
                .getOpenAPI()
                .getPaths()
                .forEach((path, item) ->
                        item.readOperationsMap().keySet().forEach(method -> described.add(method + " " + path)));
        Set<String> there = new TreeSet<>(SHARED);
        routes().routes().forEach(route -> there.add(route.method() + " " + route.path()));

        assertThat(described).isEqualTo(there);
    }

    @Test
    void everyCallTakesTheParametersThatAreDescribed() throws IOException {
        List<Route> routes = routes().routes();
        try (InputStream in = WriterRoutes.class.getResourceAsStream("/dev/tidemark/writer/openapi.yaml")) {
            assertThat(QueryParameters.taken(routes))
                    .hasSize(routes.size())
                    .isEqualTo(QueryParameters.described(new Yaml().load(in), routes));
        }
    }

    @Test
    void schemasHaveTheWordsOfSchemasAlone() throws IOException {
        try (InputStream in = WriterRoutes.class.getResourceAsStream("/dev/tidemark/writer/openapi.yaml")) {
            assertThat(SchemaWords.strange(new Yaml().load(in))).isEmpty();
        }
    }

    @Test
    void everyKindOfProblemThatCanBeAnsweredIsListed() throws IOException {
        try (InputStream in = WriterRoutes.class.getResourceAsStream("/dev/tidemark/writer/openapi.yaml")) {
            assertThat(ProblemTypes.listed(new Yaml().load(in)))
                    .contains("tidemark:facts-damaged")
                    .isEqualTo(ProblemTypes.answered());
        }
    }

    static WriterRoutes routes() {
        Clock clock = Clock.systemUTC();
        WriterStores stores = WriterStores.on(new InMemoryDisk());
        FactStore store = stores.facts();
        CatalogRegistry registry = TestTables.desk(stores.definitions(), clock);
        Backlog backlog = new Backlog(new BacklogLimits(1, 1));
        Committer committer = new Committer(
                store,
                TestTables.digests(store),
                TestTables::rules,
                new CommitterLimits(1, 1, 1, Duration.ofMillis(1)),
                MemoryBudget.unlimited().part("queue", 1),
                table -> backlog.overflow(),
                clock,
                List.of(backlog));
        FreshnessWatch freshness = new FreshnessWatch(List::of, () -> 1, clock, new WakeupSignal());
        return new WriterRoutes(
                new WriterRoutes.Parts(
                        TestTables::rules,
                        registry,
                        store,
                        committer,
                        backlog,
                        freshness,
                        (table, partition, key) -> CompletableFuture.completedFuture(Dismissals.Outcome.UNAVAILABLE),
                        new Backups(Path.of("target"), Map::of, Optional::empty, clock),
                        stores.ledger(),
                        Optional::empty,
                        clock),
                1,
                1);
    }

    private static SwaggerParseResult description() throws IOException {
        try (InputStream in = WriterRoutes.class.getResourceAsStream("/dev/tidemark/writer/openapi.yaml")) {
            assertThat(in).isNotNull();
            return new OpenAPIV3Parser()
                    .readContents(new String(in.readAllBytes(), StandardCharsets.UTF_8), null, null);
        }
    }
}
