package dev.tidemark.writer.http;

import java.util.stream.IntStream;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.writer.http.ApiFixture.Answer;
import dev.tidemark.writer.testkit.TestTables;

import static org.assertj.core.api.Assertions.assertThat;

/** What a client is answered by which it knows whether a write that failed was done. */
class FailedWritesTest {
    private static final String ROWS = "/v1/tables/customers/rows";
    private static final String NOT_DONE = "tidemark:writes-unavailable";
    private static final int DAMAGED = 7;

    private final ApiFixture api = new ApiFixture();

    FailedWritesTest() throws PortInUseException {}

    @BeforeEach
    void damage() {
        synchronized (api.disk) {
            api.disk.damageRow(TestTables.customerKey(DAMAGED));
        }
    }

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void aWriteOfWhichNothingWasAppliedSaysSo() {
        Answer direct = api.put(ROWS + "/7", "{'customerId':7}");
        Answer conditional = api.put(ROWS + "/7", "{'customerId':7}", "If-Match", "*");

        for (Answer answer : new Answer[] {direct, conditional}) {
            assertThat(answer.status()).isEqualTo(503);
            assertThat(type(answer)).isEqualTo(NOT_DONE);
            assertThat(answer.detail()).contains("before anything of it was applied");
        }
    }

    @Test
    void aLoadThatStopsMidwayKeepsTheKindOfItsProblem() {
        Answer answer = load(600);

        assertThat(answer.status()).isEqualTo(503);
        assertThat(type(answer)).isEqualTo(NOT_DONE);
        assertThat(answer.detail()).contains("500 changes of this request had been committed");
        assertThat(answer.body().path("committed").asInt()).isEqualTo(500);
    }

    private static String type(Answer answer) {
        return answer.body().path("type").asText();
    }

    /** Loads so many rows of other keys, with the damaged one after them. */
    private Answer load(int rows) {
        return api.load(
                ROWS,
                IntStream.concat(IntStream.range(1_000, 1_000 + rows), IntStream.of(DAMAGED))
                        .mapToObj(key -> "{'customerId':" + key + "}")
                        .toArray(String[]::new));
    }
}
