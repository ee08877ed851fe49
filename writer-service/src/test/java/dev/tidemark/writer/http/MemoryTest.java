package dev.tidemark.writer.http;

import java.util.stream.Collectors;
import java.util.stream.IntStream;

import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.memory.MemoryBudget.Part;
import dev.tidemark.memory.MemoryBudget.Reservation;
import dev.tidemark.writer.http.ApiFixture.Answer;

import static org.assertj.core.api.Assertions.assertThat;

/** What calls answer while the memory for requests and answers is used up by others. */
class MemoryTest {
    private static final String ROWS = "/v1/tables/customers/rows";
    private static final int COUNT = 300;

    private final ApiFixture api = new ApiFixture();

    MemoryTest() throws PortInUseException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void aScanEndsEarlyWithACursor() {
        fill();
        assertThat(api.get(ROWS + "?limit=1000").body().path("rows")).hasSize(COUNT);

        try (Reservation others = leave("answers", 40_000)) {
            int found = 0;
            int pages = 0;
            String cursor = "";
            do {
                Answer page = api.get(ROWS + "?limit=1000" + cursor);
                assertThat(page.status()).as(page.body().toString()).isEqualTo(200);
                found += page.body().path("rows").size();
                cursor = "&cursor=" + page.body().path("next").asText();
                pages++;
            } while (!cursor.equals("&cursor=null"));
            assertThat(found).isEqualTo(COUNT);
            assertThat(pages).isGreaterThan(5);
            assertThat(others.bytes()).isPositive();
        }
        assertThat(api.get(ROWS + "?limit=1000").body().path("rows")).hasSize(COUNT);
    }

    @Test
    void whatCannotBeSmallerIsRefusedAndSmallAnswersGoOn() {
        fill();
        String keys = IntStream.range(0, COUNT).mapToObj(String::valueOf).collect(Collectors.joining(","));
        try (Reservation others = leave("answers", 1_000)) {
            assertThat(others.bytes()).isPositive();
            refused(api.get(ROWS));
            refused(api.post(ROWS + ":lookup", "{'keys':[" + keys + "]}"));
            refused(api.load(ROWS, "{'customerId':1}"));
            assertThat(api.get(ROWS + "/7").status()).isEqualTo(200);
            assertThat(api.put(ROWS + "/7", "{'customerId':7}").status()).isEqualTo(200);
            assertThat(api.get("/health/live").status()).isEqualTo(200);
        }
        assertThat(api.post(ROWS + ":lookup", "{'keys':[" + keys + "]}").body().path("rows"))
                .hasSize(COUNT);
    }

    @Test
    void bodiesAreRefusedBeforeTheyAreHeld() {
        try (Reservation others = leave("requests", 100)) {
            assertThat(others.bytes()).isPositive();
            refused(api.put(ROWS + "/1", "{'customerId':1,'x':'" + "y".repeat(500) + "'}"));
            assertThat(api.get("/health/ready").status()).isEqualTo(200);
        }
        assertThat(api.put(ROWS + "/1", "{'customerId':1}").status()).isEqualTo(201);
    }

    @Test
    void aCatalogIsReadOnlyWhereThereIsMemoryForWhatItBecomes() {
        String catalog = "{'tables':{'customers':{'primaryKey':'customerId','partitions':4,'indexes':{}}}}";
        try (Reservation others = leave("answers", 2_000)) {
            assertThat(others.bytes()).isPositive();
            refused(api.put("/v1/catalog?dry_run=true", catalog));
        }
        assertThat(api.put("/v1/catalog?dry_run=true", catalog).status()).isNotEqualTo(503);
    }

    @Test
    void aChangeWhoseAnswerHasNoMemoryMayHaveBeenDone() {
        String[] lines = IntStream.range(0, 1_000)
                .mapToObj(i -> i == 0 ? "{'customerId':77}" : "{'customerId':[]}")
                .toArray(String[]::new);
        try (Reservation others = leave("answers", 70_000)) {
            assertThat(others.bytes()).isPositive();
            Answer answer = api.load(ROWS, lines);

            assertThat(answer.status()).isEqualTo(503);
            assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:outcome-unknown");
        }
        assertThat(api.get(ROWS + "/77").status()).isEqualTo(200);
    }

    @Test
    void aTrailingSlashIsNoRow() {
        assertThat(api.put(ROWS + "/%22%22", "{'customerId':''}").status()).isEqualTo(201);

        assertThat(api.delete(ROWS + "/42/").status()).isEqualTo(404);
        assertThat(api.delete(ROWS + "/").status()).isEqualTo(404);
        assertThat(api.get(ROWS + "/").status()).isEqualTo(404);
        assertThat(api.get(ROWS + "/%22%22").status()).isEqualTo(200);
    }

    private void fill() {
        String[] lines = IntStream.range(0, COUNT)
                .mapToObj(key -> "{'customerId':" + key + ",'x':'" + "y".repeat(200) + "'}")
                .toArray(String[]::new);
        assertThat(api.load(ROWS, lines).body().path("committed").asInt()).isEqualTo(COUNT);
    }

    private static void refused(Answer answer) {
        assertThat(answer.status()).isEqualTo(503);
        assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:no-memory");
        assertThat(answer.header("retry-after")).isEqualTo("1");
    }

    /** Takes all but so many bytes of a part, as others do. */
    private Reservation leave(String name, long bytes) {
        Part part = api.memory.parts().stream()
                .filter(one -> one.name().equals(name))
                .findFirst()
                .orElseThrow();
        // An answer is held for a moment after its client has it.
        Awaitility.await().until(() -> part.reserved() == 0);
        return part.tryReserve(part.limit() - bytes).orElseThrow();
    }
}
