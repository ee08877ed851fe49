package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

/** The list of quarantined records takes a bounded part of the memory, whatever was put into the topics. */
@Timeout(60)
class QuarantineJsonTest {
    private static final int RECORDS = 5;
    private static final int LARGE = 400_000;

    private Optional<WorkerServer> running = Optional.empty();

    @BeforeEach
    void start() throws Exception {
        running = Optional.of(new WorkerServer(URI.create("http://127.0.0.1:1")));
    }

    @AfterEach
    void stop() {
        running.ifPresent(WorkerServer::close);
    }

    @Test
    void aPageEndsBeforeItIsTooLargeAndTheNextGoesOnThere() throws Exception {
        putLargeRecords();
        List<Integer> sizes = new ArrayList<>();
        List<Integer> keys = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            JsonNode page = server().json(
                            "/v1/quarantine" + cursor.map(at -> "?cursor=" + at).orElse(""));
            assertThat(page.path("count").intValue()).isEqualTo(RECORDS);
            page.path("records").forEach(record -> keys.add(record.path("key").intValue()));
            sizes.add(page.path("records").size());
            cursor = Optional.ofNullable(page.path("next").textValue());
        } while (cursor.isPresent() && sizes.size() <= RECORDS);

        assertThat(sizes).containsExactly(2, 2, 1);
        assertThat(keys).containsExactly(1, 2, 3, 4, 5);
        assertThat(server().pages.reserved()).isZero();
    }

    @Test
    void aCursorNamesAnOffsetAndNoKey() throws Exception {
        putLargeRecords();

        JsonNode page = server().json("/v1/quarantine?limit=1");

        assertThat(page.path("next").textValue())
                .isEqualTo("films-0-" + page.at("/records/0/offset").longValue());
    }

    @Test
    void aPartitionIsListedFromItsStartWhereTheRecordOfTheCursorIsGone() throws Exception {
        putLargeRecords();

        assertThat(server().json("/v1/quarantine?limit=1&cursor=films-0-999")
                        .at("/records/0/key")
                        .intValue())
                .isEqualTo(1);
    }

    @Test
    void aPageEndsEarlyWhereTheMemoryIsUsedUp() throws Exception {
        putLargeRecords();
        long roomForOne = (4L << 20) + 11L * LARGE;
        leave(roomForOne);

        JsonNode page = server().json("/v1/quarantine");

        assertThat(page.path("records")).hasSize(1);
        assertThat(page.has("next")).isTrue();
    }

    @Test
    void nothingIsReadWhereThereIsNoMemoryLeft() throws Exception {
        putLargeRecords();
        leave(1);

        HttpResponse<byte[]> answer = server().get("/v1/quarantine");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(RowJson.parse(answer.body()).path("type").textValue()).isEqualTo("tidemark:no-memory");
    }

    private void putLargeRecords() {
        for (int key = 1; key <= RECORDS; key++) {
            server().films.garbage(String.valueOf(key), LARGE);
        }
        server().films.heartbeat(100);
        server().deliver();
    }

    /** Leaves so many bytes of the memory to answers. */
    private void leave(long bytes) {
        MemoryBudget memory = server().memory;
        assertThat(memory.part("others", 1).tryReserve(memory.bytes() - bytes)).isPresent();
    }

    private WorkerServer server() {
        return running.orElseThrow();
    }
}
