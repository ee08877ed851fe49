package dev.tidemark.writer.http;

import java.util.Optional;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.writer.http.ApiFixture.Answer;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.json;
import static dev.tidemark.writer.testkit.TestTables.version;
import static org.assertj.core.api.Assertions.assertThat;

class RowCallsTest {
    private static final String ROW = "/v1/tables/customers/rows/1";

    private final ApiFixture api = new ApiFixture();

    RowCallsTest() throws PortInUseException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void aNewRowIsCreatedAndAnOldOneReplaced() throws BadTokenException {
        Answer created = api.put(ROW, "{'customerId':1,'town':'Redmond'}");
        Answer replaced = api.put(ROW, "{'customerId':1,'town':'Bothell'}");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.header("etag")).isEqualTo("\"" + version(1) + "\"");
        assertThat(created.body().path("key")).isEqualTo(json("{'k':1}").get("k"));
        assertThat(created.body().path("version").asText()).isEqualTo(version(1).toString());
        assertThat(SessionToken.decode(created.body().path("token").asText()))
                .isEqualTo(SessionToken.of(
                        "customers",
                        CUSTOMERS.partitionOf(customerKey(1)),
                        version(1),
                        new WrittenRow(customerKey(1), false)));
        assertThat(replaced.status()).isEqualTo(200);
        assertThat(replaced.header("etag")).isEqualTo("\"" + version(2) + "\"");
    }

    @Test
    void aRowComesBackAsItWasWritten() {
        api.put(ROW, "{'customerId':1,'price':2.50,'nested':{'a':[1,null,true]}}");

        Answer row = api.get(ROW);

        assertThat(row.status()).isEqualTo(200);
        assertThat(row.header("etag")).isEqualTo("\"" + version(1) + "\"");
        assertThat(row.body()).isEqualTo(json("{'customerId':1,'price':2.50,'nested':{'a':[1,null,true]}}"));
        assertThat(api.get(ROW, "If-None-Match", "\"" + version(1) + "\"").status())
                .isEqualTo(304);
    }

    @Test
    void aPatchChangesPartsOfARow() {
        api.put(ROW, "{'customerId':1,'town':'Redmond','a':1}");

        Answer patched = api.patch(ROW, "{'town':null,'b':2}");

        assertThat(patched.status()).isEqualTo(200);
        assertThat(api.get(ROW).body()).isEqualTo(json("{'customerId':1,'a':1,'b':2}"));
        assertThat(api.patch("/v1/tables/customers/rows/9", "{'b':2}").status()).isEqualTo(404);
        assertThat(api.patch(ROW, "{'customerId':2}").status()).isEqualTo(400);
        assertThat(api.patch(ROW, "{'town':[]}").status()).isEqualTo(422);
        assertThat(api.patch(ROW, "[1]").status()).isEqualTo(400);
    }

    @Test
    void aDeletedRowIsGone() {
        api.put(ROW, "{'customerId':1}");

        Answer deleted = api.delete(ROW);

        assertThat(deleted.status()).isEqualTo(200);
        assertThat(deleted.body().path("version").asText()).isEqualTo(version(2).toString());
        assertThat(api.get(ROW).status()).isEqualTo(404);
        assertThat(api.delete(ROW).status()).isEqualTo(404);
    }

    @Test
    void conditionsDecideWhetherAWriteHappens() {
        Answer absent = api.put(ROW, "{'customerId':1}", "If-Match", "*");
        assertThat(absent.status()).isEqualTo(412);
        assertThat(absent.body().path("version").isNull()).isTrue();
        assertThat(api.put(ROW, "{'customerId':1}", "If-None-Match", "*").status())
                .isEqualTo(201);
        assertThat(api.put(ROW, "{'customerId':1}", "If-None-Match", "*").body().path("version"))
                .hasToString("\"" + version(1) + "\"");
        assertThat(api.put(ROW, "{'customerId':1}", "If-Match", "\"" + version(9) + "\"")
                        .status())
                .isEqualTo(412);
        assertThat(api.put(ROW, "{'customerId':1}", "If-Match", "\"x\", \"" + version(1) + "\"")
                        .status())
                .isEqualTo(200);
        assertThat(api.delete(ROW, "If-Match", "\"" + version(1) + "\"").status())
                .isEqualTo(412);
        assertThat(api.delete(ROW, "If-Match", "\"" + version(2) + "\"").status())
                .isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(strings = {"abc", "\"", "\"a\" \"b\"", "\"a\",", ""})
    void aConditionThatIsNoListOfVersionsIsRefused(String condition) {
        assertThat(api.put(ROW, "{'customerId':1}", "If-Match", condition).status())
                .isEqualTo(400);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '~',
            value = {
                "{'customerId':2}               | 400 | written under, 1, but its own is 2",
                "{'town':'x'}                   | 400 | customerId is absent or null",
                "{'customerId':{}}              | 400 | got an object",
                "{bad                           | 400 | expected JSON",
                "[1]                            | 400 | expected a JSON object, but got an array",
                "{'customerId':1,'customerId':1} | 400 | Duplicate",
                "{'customerId':1} 2             | 400 | expected",
                "{'customerId':1,'a':'\\ud800'} | 400 | surrogate",
                "{'customerId':1,'a':1e99999999999} | 400 | exponent",
                "{'customerId':1,'town':{}}     | 422 | index by_town of table customers"
            })
    void aRowThatIsNotAsExpectedIsRefused(String body, int status, String detail) {
        Answer answer = api.put(ROW, body);

        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.detail()).contains(detail);
        assertThat(answer.header("content-type")).isEqualTo("application/problem+json");
        assertThat(answer.body().path("status").asInt()).isEqualTo(status);
        assertThat(api.get(ROW).status()).isEqualTo(404);
    }

    @Test
    void deepJsonIsRefused() {
        String deep = "{'customerId':1,'a':" + "[".repeat(900) + "]".repeat(900) + "}";

        assertThat(api.put(ROW, deep).status()).isEqualTo(400);
    }

    @Test
    void aRowThatIsTooLargeIsRefused() {
        assertThat(api.put(ROW, "{'customerId':1,'a':'" + "x".repeat(3_000) + "'}")
                        .status())
                .isEqualTo(413);
    }

    @Test
    void anotherContentTypeIsRefused() {
        Answer answer = api.send("PUT", ROW, ApiFixture.text("{'customerId':1}"), "Content-Type", "text/plain");

        assertThat(answer.status()).isEqualTo(415);
        assertThat(answer.detail()).contains("expected Content-Type application/json");
    }

    @Test
    void anUnknownTableIsNotFoundAndTheOthersAreNamed() {
        Answer answer = api.get("/v1/tables/nope/rows/1");

        assertThat(answer.status()).isEqualTo(404);
        assertThat(answer.detail()).contains("expected one of customers, movies");
    }

    @Test
    void theKeyInThePathIsTheJsonThatItSpells() {
        api.put("/v1/tables/customers/rows/%2242%22", "{'customerId':'42'}");
        api.put("/v1/tables/customers/rows/a%2Fb,c%20%25", "{'customerId':'a/b,c %'}");

        assertThat(api.get("/v1/tables/customers/rows/%2242%22").status()).isEqualTo(200);
        assertThat(api.get("/v1/tables/customers/rows/42").status()).isEqualTo(404);
        assertThat(api.get("/v1/tables/customers/rows/a%2Fb%2Cc%20%25").status())
                .isEqualTo(200);
        assertThat(api.get("/v1/tables/customers/rows/null").status()).isEqualTo(400);
    }

    @Test
    void thePartsOfACompositeKeyAreJoinedByCommas() {
        Answer created = api.put("/v1/tables/movies/rows/Heat%2C%201,1995", "{'title':'Heat, 1','year':1995}");

        assertThat(created.status()).isEqualTo(201);
        assertThat(created.body().path("key"))
                .isEqualTo(json("{'k':['Heat, 1',1995]}").get("k"));
        assertThat(api.get("/v1/tables/movies/rows/Heat%2C%201,1995").status()).isEqualTo(200);
        assertThat(api.get("/v1/tables/movies/rows/Heat").status()).isEqualTo(400);
    }

    @Test
    void refusedWritesSayWhyAndWhenToTryAgain() {
        api.refusal = Optional.of("the outbox is full");

        Answer answer = api.put(ROW, "{'customerId':1}");

        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.detail()).isEqualTo("the outbox is full");
        assertThat(answer.header("retry-after")).isNotEmpty();
    }

    @Test
    void aFailedCommitIsSaidToBeOne() {
        synchronized (api.disk) {
            api.disk.failNextWrite(new IllegalStateException("disk full"));
        }

        // The write that fails may be the committer's own note of the time.
        Answer first = api.put(ROW, "{'customerId':1}");

        assertThat(first.status()).isIn(201, 503);
        assertThat(api.put(ROW, "{'customerId':1}").status()).isIn(200, 201);
    }
}
