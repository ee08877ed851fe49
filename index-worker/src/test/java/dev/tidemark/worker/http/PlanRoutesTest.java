package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.forecast.CostBasis;
import dev.tidemark.worker.forecast.ForecastAgent;
import dev.tidemark.worker.forecast.ForecastJobs;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.InMemoryBackfillSource;
import dev.tidemark.worker.testkit.SettableClock;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

class PlanRoutesTest {
    private static final String WANTED = """
            tables:
              films:
                primaryKey: id
                partitions: 1
                indexes:
                  by_title: { key: [title], projection: keys_only }
              people: { primaryKey: id, partitions: 4, indexes: {} }
            """;

    private final URI writer = URI.create("http://127.0.0.1:1");

    @Test
    void takesARehearsalAndTellsWhereToAskForIt() throws Exception {
        try (WorkerServer server = new WorkerServer(writer)) {
            HttpResponse<byte[]> answer = server.postYaml("/v1/plan?sample=25", WANTED);

            assertThat(answer.statusCode()).isEqualTo(202);
            JsonNode json = RowJson.parse(answer.body());
            assertThat(json.path("state").asText()).isEqualTo("waiting");
            assertThat(json.path("samplePercent").asDouble()).isEqualTo(25);
            assertThat(json.path("drops")).extracting(JsonNode::asText).contains("films.by_actor", "people.whole");
            String location = answer.headers().firstValue("Location").orElseThrow();
            assertThat(server.json(location)).isEqualTo(json);
        }
    }

    @Test
    void showsWhatAGlobalIndexPublishesAndNothingForALocalOne() throws Exception {
        String wanted = WANTED.replace(
                "keys_only }", "keys_only }\n      by_year: { key: [year], scope: global, partitions: 8 }");
        try (WorkerServer server = new WorkerServer(writer)) {
            HttpResponse<byte[]> asked = server.postYaml("/v1/plan?sample=100", wanted);
            forecast(server.forecastJobs);

            JsonNode indexes = server.json(
                            asked.headers().firstValue("Location").orElseThrow())
                    .at("/tables/0/indexes");
            assertThat(indexes.findValuesAsText("index")).containsExactlyInAnyOrder("by_title", "by_year");
            assertThat(indexes.findValues("placements")).singleElement().satisfies(placements -> {
                assertThat(placements.path("partitions").asInt()).isEqualTo(8);
                assertThat(placements.path("recordsPerChange").asDouble()).isEqualTo(1);
                assertThat(placements.path("recordsPerMove").asDouble()).isEqualTo(1);
                assertThat(placements.path("topicBytes").asLong()).isPositive();
            });
        }
    }

    /** Forecasts the only request from a topic with one film. */
    private static void forecast(ForecastJobs jobs) {
        ChangeLog log = new ChangeLog(Tables.films()).put(1, "{\"id\":1,\"title\":\"Alien\",\"year\":1979}");
        ForecastAgent agent = new ForecastAgent(
                jobs,
                Tables.inForce(Tables.catalog()),
                () -> new InMemoryBackfillSource(log, 1),
                new MemoryBudget(64 << 20).part("builds", 1),
                table -> CostBasis.of(Optional.empty(), 1),
                new SettableClock(ChangeLog.START));
        assertThat(agent.doWork()).isEqualTo(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "101", "-5", "NaN", "some", "10%25"})
    void refusesASampleThatIsNoPart(String sample) throws Exception {
        try (WorkerServer server = new WorkerServer(writer)) {
            HttpResponse<byte[]> answer = server.postYaml("/v1/plan?sample=" + sample, WANTED);

            assertThat(answer.statusCode()).isEqualTo(400);
            assertThat(text(answer)).contains("above 0 and at most 100");
        }
    }

    @Test
    void refusesWhatIsNoCatalogAndWhatHasOtherTables() throws Exception {
        try (WorkerServer server = new WorkerServer(writer)) {
            HttpResponse<byte[]> bad = server.postYaml("/v1/plan", "tables: 7");
            HttpResponse<byte[]> other = server.postYaml("/v1/plan", "tables: { pets: { primaryKey: id } }");

            assertThat(bad.statusCode()).isEqualTo(400);
            assertThat(text(bad)).contains("catalog:1:9");
            assertThat(other.statusCode()).isEqualTo(409);
            assertThat(text(other)).contains("table pets is new", "table films is in force");
        }
    }

    @Test
    void readsJsonAsJson() throws Exception {
        String json = "{'tables':{'films':{'primaryKey':'id','partitions':1,'indexes':{'one':{'key':['title'],"
                + "'where':{'title':'%s'}}}},'people':{'primaryKey':'id','partitions':4}}}";
        try (WorkerServer server = new WorkerServer(writer)) {
            assertThat(server.post("/v1/plan", json.formatted("a\u2028 b")).statusCode())
                    .isEqualTo(202);
            assertThat(server.forecastJobs.find(1).orElseThrow().wanted().indexes())
                    .singleElement()
                    .asString()
                    .contains("a\u2028 b");
            assertThat(server.post("/v1/plan", WANTED).statusCode()).isEqualTo(400);
        }
    }

    @Test
    void takesNoMoreThanMayWait() throws Exception {
        try (WorkerServer server = new WorkerServer(writer)) {
            for (int i = 0; i < 4; i++) {
                assertThat(server.postYaml("/v1/plan", WANTED).statusCode()).isEqualTo(202);
            }

            HttpResponse<byte[]> answer = server.postYaml("/v1/plan", WANTED);

            assertThat(answer.statusCode()).isEqualTo(429);
            assertThat(answer.headers().firstValue("Retry-After")).isPresent();
        }
    }

    @Test
    void knowsNoRehearsalThatWasNotAskedFor() throws Exception {
        try (WorkerServer server = new WorkerServer(writer)) {
            assertThat(server.get("/v1/plan/7").statusCode()).isEqualTo(404);
            assertThat(server.get("/v1/plan/mine").statusCode()).isEqualTo(404);
        }
    }

    private static String text(HttpResponse<byte[]> answer) {
        return new String(answer.body(), StandardCharsets.UTF_8);
    }
}
