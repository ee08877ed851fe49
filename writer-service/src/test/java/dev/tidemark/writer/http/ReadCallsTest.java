package dev.tidemark.writer.http;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.http.ApiFixture.Answer;

import static dev.tidemark.writer.testkit.TestTables.json;
import static org.assertj.core.api.Assertions.assertThat;

class ReadCallsTest {
    private static final String ROWS = "/v1/tables/customers/rows";

    private final ApiFixture api = new ApiFixture();

    ReadCallsTest() throws PortInUseException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void aScanGivesEveryRowOnceInKeyOrder() {
        api.load(
                ROWS,
                "{'customerId':3}",
                "{'customerId':1}",
                "{'customerId':'x'}",
                "{'customerId':2}",
                "{'customerId':10}");
        List<String> keys = new ArrayList<>();

        Answer page = api.get(ROWS + "?limit=2");
        page.body().path("rows").forEach(row -> keys.add(row.path("key").asText()));
        while (!page.body().path("next").isNull()) {
            page = api.get(ROWS + "?limit=2&cursor=" + page.body().path("next").asText());
            page.body().path("rows").forEach(row -> keys.add(row.path("key").asText()));
        }

        assertThat(keys).containsExactly("1", "2", "3", "10", "x");
        assertThat(page.body().path("rows").get(0).path("row").isObject()).isTrue();
        assertThat(page.body().path("rows").get(0).path("version").asText()).hasSize(19);
    }

    @Test
    void anEmptyTableHasOneEmptyPage() {
        assertThat(api.get(ROWS).body()).isEqualTo(json("{'rows':[],'next':null}"));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "?limit=0",
                "?limit=1001",
                "?limit=x",
                "?cursor=abc",
                "?cursor=",
                "?cursor=%00",
                "?limit=1&limit=2"
            })
    void badParametersAreRefused(String query) {
        assertThat(api.get(ROWS + query).status()).isEqualTo(400);
    }

    @Test
    void aCursorOfAnotherTableIsRefused() {
        api.load(ROWS, "{'customerId':1}", "{'customerId':2}");
        String cursor = api.get(ROWS + "?limit=1").body().path("next").asText();

        assertThat(api.get("/v1/tables/movies/rows?cursor=" + cursor).status()).isEqualTo(400);
        assertThat(api.get(ROWS + "?cursor=" + cursor + "A").status()).isEqualTo(400);
    }

    @Test
    void aLookupAnswersInTheOrderAsked() {
        api.load(ROWS, "{'customerId':1,'town':'a'}", "{'customerId':2,'town':'b'}");

        Answer answer = api.post(ROWS + ":lookup", "{'keys':[2,7,1,2]}");

        assertThat(answer.status()).isEqualTo(200);
        List<String> towns = new ArrayList<>();
        for (JsonNode row : answer.body().path("rows")) {
            towns.add(row.isNull() ? "none" : row.path("row").path("town").asText());
        }
        assertThat(towns).containsExactly("b", "none", "a", "b");
        String newest = answer.body().path("rows").get(0).path("version").asText();
        assertThat(answer.body().path("from").asText())
                .isEqualTo(newest)
                .isEqualTo(answer.body().path("to").asText());
    }

    @Test
    void aRowIsFoundByTheKeyThatItsAnswerHasHoweverLongTheNumber() {
        String number = "1".repeat(399) + "0";
        Answer written = api.put(ROWS + "/" + number, "{'customerId':" + number + ",'town':'a'}");
        String key = written.body().path("key").toString();

        assertThat(api.post(ROWS + ":lookup", "{'keys':[" + key + "]}")
                        .body()
                        .path("rows")
                        .path(0)
                        .path("row")
                        .path("town")
                        .asText())
                .isEqualTo("a");
        assertThat(api.get(ROWS + "/" + key).status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"{}", "{'keys':1}", "{'keys':[[1]]}", "{'keys':[null]}", "{'keys':[],'x':1}", "[1]", "x"})
    void aBadLookupIsRefused(String body) {
        assertThat(api.post(ROWS + ":lookup", body).status()).isEqualTo(400);
    }

    @Test
    void aLookupOfTooManyKeysIsRefused() {
        assertThat(api.post(ROWS + ":lookup", "{'keys':[" + "1,".repeat(1_000) + "1]}")
                        .status())
                .isEqualTo(400);
    }

    @Test
    void tellsTheTables() {
        JsonNode tables = api.get("/v1/tables").body().path("tables");

        assertThat(tables).hasSize(2);
        assertThat(tables.get(0).path("name").asText()).isEqualTo("customers");
        assertThat(tables.get(0).path("partitions").asInt()).isEqualTo(4);
        assertThat(tables.get(0).path("indexes").has("by_town")).isTrue();
        assertThat(tables.get(1).path("primaryKey"))
                .isEqualTo(json("{'k':['title','year']}").get("k"));
    }

    @Test
    void tellsTheLag() {
        api.load(ROWS, "{'customerId':1}");

        JsonNode lag = api.get("/v1/lag").body();

        assertThat(lag.path("indexes").get(0).path("index").asText()).isEqualTo("by_town");
        assertThat(lag.path("indexes").get(0).path("freshnessSeconds").isNull()).isTrue();
        assertThat(lag.path("outbox").get(0).path("pendingRecords").asInt()).isEqualTo(1);
    }

    @Test
    void tellsItsCommitClockAndWhichProcessItIs() {
        JsonNode first = api.get("/v1/clock").body();
        JsonNode second = api.get("/v1/clock").body();

        assertThat(first.path("now").asText()).isEqualTo(ManualClock.START.toString());
        assertThat(first.path("process").asText())
                .isNotBlank()
                .isEqualTo(second.path("process").asText());
    }

    @Test
    void tellsTheLastVersionThatItHasGiven() {
        String version = api.put("/v1/tables/customers/rows/1", "{\"customerId\":1}")
                .body()
                .path("version")
                .asText();

        api.unconfirmedFor = Optional.of(Duration.ofMillis(2_500));

        JsonNode clock = api.get("/v1/clock").body();

        assertThat(clock.path("version").asText()).isEqualTo(version);
        assertThat(clock.path("versionAgeSeconds").asDouble()).isBetween(2.5, 2.51);
    }

    @Test
    void tellsNoVersionWhileAnotherWriterPublishes() {
        api.unconfirmedFor = Optional.empty();

        JsonNode clock = api.get("/v1/clock").body();

        assertThat(clock.has("version")).isFalse();
        assertThat(clock.has("versionAgeSeconds")).isFalse();
    }

    @Test
    void noPartOfAMillisecondIsLeftOutOfAnAge() {
        assertThat(api.put("/v1/tables/customers/rows/1", "{'customerId':1}").status())
                .isEqualTo(201);
        api.clock.advance(Duration.ofNanos(1_900_000));

        assertThat(api.get("/v1/lag").body().at("/outbox/0/oldestAgeSeconds").asDouble())
                .isBetween(0.0015, 0.0019);
    }
}
