package dev.tidemark.deploy.e2e;

import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import dev.tidemark.deploy.e2e.http.Answer;
import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.running.SharedStack;
import dev.tidemark.deploy.e2e.running.StackUnderTest;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/** Whatever is sent, the answer says what was expected, and both services live on. */
@ExtendWith(SharedStack.class)
class BadInputIT {
    private static final String TABLE = "cities";
    private static final String PATH = Facts.rowsOf(TABLE) + "/fr,Lyon";
    private static final Map<String, String> NDJSON = Map.of("Content-Type", "application/x-ndjson");

    private final StackUnderTest stack;

    BadInputIT(StackUnderTest stack) {
        this.stack = stack;
    }

    @BeforeEach
    void putOneRow() throws Exception {
        stack.facts()
                .http()
                .send("PUT", PATH, city("fr", "Lyon").toString(), BadRequests.JSON)
                .requireOk();
    }

    @AfterEach
    void bothServicesWorkAsBefore() throws Exception {
        assertThat(stack.facts().http().get("/health/live").status()).isEqualTo(200);
        assertThat(stack.indexes().http().get("/health/live").status()).isEqualTo(200);
        String token = stack.facts()
                .http()
                .send("PUT", PATH, city("fr", "Lyon").put("mayor", "Doucet").toString(), BadRequests.JSON)
                .requireOk()
                .json()
                .path("token")
                .asText();
        JsonNode found = stack.indexes()
                .query(TABLE + ".by_mayor", "mayor", "Doucet", "token", token, "wait", "10s")
                .requireOk()
                .json();
        assertThat(found.path("entries")).hasSize(1);
    }

    static Stream<BadRequests.Bad> toTheWriter() {
        return BadRequests.toTheWriter();
    }

    static Stream<BadRequests.Bad> toTheWorker() {
        return BadRequests.toTheWorker();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("toTheWriter")
    void writerSaysWhatItExpected(BadRequests.Bad bad) throws Exception {
        requireProblem(bad, stack.facts().http().send(bad.method(), bad.path(), bad.body(), bad.headers()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("toTheWorker")
    void workerSaysWhatItExpected(BadRequests.Bad bad) throws Exception {
        requireProblem(bad, stack.indexes().http().send(bad.method(), bad.path(), bad.body(), bad.headers()));
    }

    @Test
    void tokenOfAnotherTableIsRefused() throws Exception {
        String token = stack.facts()
                .put("people", "someone", RowJson.mapper().createObjectNode().put("personId", "someone"))
                .requireOk()
                .json()
                .path("token")
                .asText();
        Answer answer = stack.indexes().query(TABLE + ".by_mayor", "token", token);
        requireProblem(new BadRequests.Bad("token of another table", "GET", "", 400, "people|cities|table"), answer);
    }

    @Test
    void cursorOfAnotherIndexOrQueryIsRefused() throws Exception {
        stack.facts()
                .load(TABLE, List.of(city("fr", "A"), city("fr", "B"), city("fr", "C")), "")
                .requireOk();
        stack.settle(TABLE);
        String cursor = stack.indexes()
                .query(TABLE + ".by_population", "limit", "1")
                .requireOk()
                .json()
                .path("next")
                .asText();
        Answer answer = stack.indexes().query(TABLE + ".by_mayor", "cursor", cursor);
        requireProblem(new BadRequests.Bad("cursor of another index", "GET", "", 400, "cursor"), answer);
    }

    @Test
    void rowOfAHundredMegabytesIsRefusedWhileItIsStreamed() throws Exception {
        Answer answer = stack.facts().http().upload("PUT", PATH, BadInputIT::hundredMegabytes, BadRequests.JSON);
        requireProblem(new BadRequests.Bad("100 MB", "PUT", PATH, 413, "bytes"), answer);
    }

    @Test
    void bulkLineOfAHundredMegabytesIsRefusedWhileItIsStreamed() throws Exception {
        Answer answer = stack.facts().http().upload("POST", Facts.rowsOf(TABLE), BadInputIT::hundredMegabytes, NDJSON);
        requireProblem(new BadRequests.Bad("100 MB", "POST", Facts.rowsOf(TABLE), 413, "large"), answer);
    }

    @Test
    void hundredMegabytesSentToTheWorkerAreRefused() throws Exception {
        String path = "/v1/indexes/" + TABLE + ".by_mayor/entries";
        Answer answer = stack.indexes().http().upload("POST", path, BadInputIT::hundredMegabytes, BadRequests.JSON);
        requireProblem(new BadRequests.Bad("100 MB", "POST", path, 405, "not possible|method"), answer);
    }

    @Test
    void badLinesOfABulkLoadDoNotStopTheOthers() throws Exception {
        String body = String.join(
                "\n",
                city("de", "Ulm").toString(),
                "{bad",
                "{\"country\":\"de\"}",
                "",
                "[".repeat(10_000),
                city("de", "Trier")
                        .set("mayor", RowJson.mapper().createObjectNode())
                        .toString(),
                "{\"$delete\":\"de\"}",
                city("de", "Mainz").toString());
        Answer answer = stack.facts()
                .http()
                .send("POST", Facts.rowsOf(TABLE), body, NDJSON)
                .requireOk();
        assertThat(answer.json().path("committed").asInt()).isEqualTo(2);
        assertThat(answer.json().path("rejected").findValuesAsText("line")).containsExactly("2", "3", "5", "6", "7");
        assertThat(answer.json().path("rejected").findValuesAsText("detail"))
                .allSatisfy(detail -> assertThat(detail).contains("expected"));
        assertThat(status("de,Ulm")).isEqualTo(200);
        assertThat(status("de,Mainz")).isEqualTo(200);
        assertThat(status("de,Trier")).isEqualTo(404);
    }

    @Test
    void oneBadLineLeavesNothingOfAnAtomicLoad() throws Exception {
        String body = city("it", "Bari") + "\n{\"country\":\"it\"}\n" + city("it", "Rimini") + "\n";
        String path = Facts.rowsOf(TABLE) + "?atomic=true";
        Answer answer = stack.facts().http().send("POST", path, body, NDJSON);
        requireProblem(new BadRequests.Bad("atomic", "POST", path, 400, "nothing was applied"), answer);
        assertThat(answer.json().path("errors")).hasSize(1);
        assertThat(status("it,Bari")).isEqualTo(404);
        assertThat(status("it,Rimini")).isEqualTo(404);
    }

    private int status(String key) throws IOException, InterruptedException {
        return stack.facts().http().get(Facts.rowsOf(TABLE) + "/" + key).status();
    }

    private static void requireProblem(BadRequests.Bad bad, Answer answer) {
        assertThat(answer.status()).as("%s", answer).isEqualTo(bad.status());
        assertThat(answer.header("Content-Type")).as("%s", answer).startsWith("application/problem+json");
        JsonNode problem = answer.json();
        assertThat(problem.path("type").asText()).isNotEmpty();
        assertThat(problem.path("title").asText()).isNotEmpty();
        assertThat(problem.path("status").asInt()).isEqualTo(bad.status());
        assertThat(problem.path("detail").asText()).as("%s", answer).containsPattern("(?i)" + bad.says());
        assertThat(answer.body())
                .doesNotContain("Exception")
                .doesNotContain("dev.tidemark")
                .doesNotContain("\\tat ");
    }

    private static ObjectNode city(String country, String name) {
        return RowJson.mapper()
                .createObjectNode()
                .put("country", country)
                .put("name", name)
                .put("population", 500_000);
    }

    private static InputStream hundredMegabytes() {
        return new InputStream() {
            private static final int SIZE = 100_000_000;
            private int given;

            @Override
            public int read() {
                return given++ < SIZE ? 'x' : -1;
            }

            @Override
            public int read(byte[] buffer, int offset, int length) {
                int count = Math.min(length, SIZE - given);
                Arrays.fill(buffer, offset, offset + Math.max(0, count), (byte) 'x');
                given += Math.max(0, count);
                return count <= 0 ? -1 : count;
            }
        };
    }
}
