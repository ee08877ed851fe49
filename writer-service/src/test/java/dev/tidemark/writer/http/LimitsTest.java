package dev.tidemark.writer.http;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.http.ApiFixture.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** Every limit of a call has a problem type of its own, by which a program knows it. */
class LimitsTest {
    private static final String ROW = "/v1/tables/customers/rows/1";

    private final ApiFixture api = new ApiFixture();

    LimitsTest() throws PortInUseException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void tooDeepJson() {
        String deep = "[".repeat(RowJson.MAX_DEPTH) + "]".repeat(RowJson.MAX_DEPTH);
        names(api.put(ROW, "{'customerId':1,'a':" + deep + "}"), 400, "json-too-deep");
    }

    @Test
    void tooLongNumbersAndNames() {
        String digits = "1".repeat(RowJson.MAX_NUMBER_LENGTH + 1);
        names(api.put(ROW, "{'customerId':1,'a':" + digits + "}"), 400, "number-too-long");
        names(api.put(ROW, "{'customerId':1,'a':0." + digits + "}"), 400, "number-too-long");
        names(api.put(ROW, "{'customerId':1,'a':1e99999999999}"), 400, "number-too-long");
        names(api.put(ROW, "{'customerId':1,'" + "n".repeat(1_025) + "':1}"), 400, "name-too-long");
    }

    @Test
    void numbersInKeysBeyondWhatIsRead() {
        names(api.get("/v1/tables/customers/rows/-1e9999999999"), 400, "number-too-long");
        names(api.put("/v1/tables/customers/rows/" + "9".repeat(401), "{'customerId':1}"), 400, "number-too-long");
        names(api.get("/v1/tables/movies/rows/drama,1e9999999999"), 400, "number-too-long");
    }

    @Test
    void tooLongKeys() {
        String path = "/v1/tables/customers/rows/" + "k".repeat(1_100);
        names(api.get(path), 400, "key-too-long");
        names(api.put(ROW, "{'customerId':'" + "k".repeat(1_100) + "'}"), 400, "key-too-long");
    }

    @Test
    void tooLargeRowsAndBodies() {
        names(api.put(ROW, "{'customerId':1,'a':'" + "x".repeat(2_000) + "'}"), 413, "body-too-large");
        names(api.patch(ROW, "{'a':'" + "x".repeat(3_000) + "'}"), 413, "body-too-large");
        names(
                api.load("/v1/tables/customers/rows", "{'customerId':1,'a':'" + "x".repeat(3_000) + "'}"),
                413,
                "row-too-large");
    }

    @Test
    void rowsThatAnIndexCannotHold() {
        names(api.put(ROW, "{'customerId':1,'town':{}}"), 422, "row-not-indexable");
    }

    @Test
    void tooManyKeysAndTooLargePages() {
        String keys = IntStream.rangeClosed(0, 1_000).mapToObj(String::valueOf).collect(Collectors.joining(","));
        names(api.post("/v1/tables/customers/rows:lookup", "{'keys':[" + keys + "]}"), 400, "too-many-keys");
        names(api.get("/v1/tables/customers/rows?limit=1001"), 400, "limit-too-large");
    }

    @Test
    void otherMistakesAreNoLimits() {
        assertThat(api.get("/v1/tables/customers/rows?limit=many")
                        .body()
                        .path("type")
                        .asText())
                .isEqualTo("about:blank");
        assertThat(api.put(ROW, "{'town':'x'}").body().path("type").asText()).isEqualTo("about:blank");
    }

    private static void names(Answer answer, int status, String type) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.body().path("type").asText()).as(answer.detail()).isEqualTo("tidemark:" + type);
    }
}
