package dev.tidemark.writer.http;

import java.net.InetAddress;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.PortInUseException;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowJson;
import dev.tidemark.writer.http.ApiFixture.Answer;

import static dev.tidemark.writer.testkit.TestTables.CUSTOMERS;
import static dev.tidemark.writer.testkit.TestTables.customerKey;
import static dev.tidemark.writer.testkit.TestTables.version;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class BulkCallsTest {
    private static final String ROWS = "/v1/tables/customers/rows";
    private static final String ATOMIC = ROWS + "?atomic=true";

    private final ApiFixture api = new ApiFixture();

    BulkCallsTest() throws PortInUseException {}

    @AfterEach
    void close() {
        api.close();
    }

    @Test
    void everyLineIsARowOrADelete() throws BadTokenException {
        Answer answer = api.load(
                ROWS,
                "{'customerId':1,'town':'a'}",
                "",
                "  ",
                "{'customerId':2}\r",
                "{'$delete':2}",
                "{'customerId':1,'town':'b'}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("committed").asInt()).isEqualTo(4);
        assertThat(answer.body().path("rejected")).isEmpty();
        assertThat(api.get(ROWS + "/1").body().path("town").asText()).isEqualTo("b");
        assertThat(api.get(ROWS + "/2").status()).isEqualTo(404);
        assertThat(SessionToken.decode(answer.body().path("token").asText()).versions())
                .containsEntry(CUSTOMERS.partitionOf(customerKey(1)), version(4));
    }

    @Test
    void rejectedLinesAreListedAndDoNotStopTheOthers() {
        Answer answer = api.load(
                ROWS,
                "{'customerId':1}",
                "bad",
                "{'town':'x'}",
                "{'customerId':2,'town':[]}",
                "{'$delete':99}",
                "{'$delete':1,'x':2}",
                "{'customerId':3,'x':'" + "y".repeat(3_000) + "'}",
                "{'customerId':4}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("committed").asInt()).isEqualTo(2);
        assertThat(answer.body().path("rejectedTotal").asInt()).isEqualTo(6);
        List<Integer> lines = new ArrayList<>();
        answer.body().path("rejected").forEach(one -> lines.add(one.path("line").asInt()));
        assertThat(lines).containsExactly(2, 3, 4, 5, 6, 7);
        assertThat(answer.body().path("rejected").get(3).path("detail").asText())
                .isEqualTo("there is no row 99 in table customers");
    }

    @Test
    void longLoadsAreCommittedInChunks() {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < 3_000; i++) {
            lines.add("{'customerId':" + i + ",'town':'t" + i + "'}");
        }

        Answer answer = api.load(ROWS, lines.toArray(String[]::new));

        assertThat(answer.body().path("committed").asInt()).isEqualTo(3_000);
        assertThat(api.get(ROWS + "/2999").status()).isEqualTo(200);
    }

    @Test
    void aLoadWhoseBodyBreaksOffSaysHowManyLinesAreCommitted() throws Exception {
        StringBuilder rows = new StringBuilder();
        for (int i = 0; rows.length() < 128 << 10; i++) {
            rows.append("{\"customerId\":").append(i).append("}\n");
        }

        JsonNode problem = answerToBrokenLoad(rows.toString());

        assertThat(problem.path("status").asInt()).isEqualTo(400);
        assertThat(problem.path("detail").asText())
                .contains("as HTTP frames it")
                .contains("committed before");
        assertThat(problem.path("committed").asInt()).isPositive().isEqualTo(api.rowsOf("customers"));
    }

    /** Sends lines as a chunk, and then what is no chunk. */
    private JsonNode answerToBrokenLoad(String lines) throws Exception {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), api.port())) {
            socket.setSoTimeout(30_000);
            String head = "POST " + ROWS + " HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n"
                    + "Transfer-Encoding: chunked\r\n\r\n" + Integer.toHexString(lines.length()) + "\r\n";
            socket.getOutputStream().write((head + lines + "\r\nno size\r\n").getBytes(US_ASCII));
            socket.getOutputStream().flush();
            String answer = new String(socket.getInputStream().readAllBytes(), UTF_8);
            return RowJson.parse(
                    answer.substring(answer.indexOf("\r\n\r\n") + 4).getBytes(UTF_8));
        }
    }

    @Test
    void theListOfRejectedLinesIsBounded() {
        Answer answer = api.load(ROWS, "x\n".repeat(1_500));

        assertThat(answer.body().path("rejected")).hasSize(BulkTally.MAX_LISTED);
        assertThat(answer.body().path("rejectedTotal").asInt()).isEqualTo(1_500);
    }

    @Test
    void nothingButTooLargeLinesIsTooLarge() {
        Answer answer = api.load(ROWS, "{'customerId':3,'x':'" + "y".repeat(200_000) + "'}");

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:row-too-large");
        assertThat(answer.body().path("errors").get(0).path("detail").asText()).startsWith("line 1: ");
    }

    @Test
    void anEmptyLoadCommitsNothing() {
        Answer answer = api.load(ROWS, "");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("committed").asInt()).isZero();
    }

    @Test
    void anAtomicLoadCommitsAll() {
        Answer answer = api.load(ATOMIC, "{'customerId':1}", "{'customerId':2}", "{'$delete':1}");

        assertThat(answer.status()).isEqualTo(200);
        assertThat(answer.body().path("committed").asInt()).isEqualTo(3);
    }

    @Test
    void anAtomicLoadWithABadLineCommitsNothing() {
        Answer bad = api.load(ATOMIC, "{'customerId':1}", "bad");
        Answer unindexable = api.load(ATOMIC, "{'customerId':1}", "{'customerId':2,'town':[]}");
        Answer conflict = api.load(ATOMIC, "{'customerId':1}", "{'$delete':2}");

        assertThat(bad.status()).isEqualTo(400);
        assertThat(bad.body().path("errors").get(0).path("detail").asText()).startsWith("line 2: ");
        assertThat(unindexable.status()).isEqualTo(422);
        assertThat(conflict.status()).isEqualTo(409);
        assertThat(api.get(ROWS + "/1").status()).isEqualTo(404);
    }

    @Test
    void anAtomicLoadIsAsMuchOfAProblemAsItsLineWouldBeAlone() {
        Answer unindexable = api.load(ATOMIC, "{'customerId':1}", "{'customerId':2,'town':[]}");
        Answer large = api.load(ATOMIC, "{'customerId':1}", "{'customerId':3,'x':'" + "y".repeat(3_000) + "'}");
        Answer absent = api.load(ATOMIC, "{'$delete':2}", "{'$delete':3}");

        is(unindexable, 422, "tidemark:row-not-indexable", "Row cannot be indexed", "1 line");
        is(large, 413, "tidemark:row-too-large", "Content too large", "1 line");
        is(absent, 409, "about:blank", "Conflict", "2 lines");
        assertThat(unindexable.body().path("errors").get(0).path("detail").asText())
                .startsWith("line 2: ");
    }

    @Test
    void anAtomicLoadNamesNoKindWhereItsLinesAreOfSeveral() {
        String number = "{'customerId':1,'x':" + "9".repeat(401) + "}";

        is(api.load(ATOMIC, number, number), 400, "tidemark:number-too-long", "Bad request", "2 lines");
        is(api.load(ATOMIC, number, "bad", number), 400, "about:blank", "Bad request", "3 lines");
        is(
                api.load(ATOMIC, "{'customerId':2,'town':[]}", number),
                400,
                "tidemark:number-too-long",
                "Bad request",
                "2 lines");
    }

    private static void is(Answer answer, int status, String type, String title, String lines) {
        assertThat(answer.status()).as(answer.body().toString()).isEqualTo(status);
        assertThat(answer.body().path("type").asText()).isEqualTo(type);
        assertThat(answer.body().path("title").asText()).isEqualTo(title);
        assertThat(answer.detail()).isEqualTo(lines + " could not be taken, so nothing was applied");
    }

    @Test
    void aMisspeltOptionIsRefusedAndCommitsNothing() {
        Answer answer = api.load(ROWS + "?atomc=true", "{'customerId':1}", "bad");

        assertThat(answer.status()).isEqualTo(400);
        assertThat(answer.detail()).isEqualTo("expected no parameters other than atomic, but got atomc");
        assertThat(api.get(ROWS + "/1").status()).isEqualTo(404);
        assertThat(api.put(ROWS + "/1?atomic=true", "{'customerId':1}").detail())
                .isEqualTo("expected no parameters, but got atomic");
    }

    @Test
    void anAtomicLoadIsBounded() {
        String line = "{'customerId':1,'x':'" + "y".repeat(1_500) + "'}";

        Answer answer = api.load(ATOMIC, line, line, line);

        assertThat(answer.status()).isEqualTo(413);
        assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:load-too-large");
        assertThat(api.get(ROWS + "/1").status()).isEqualTo(404);
    }

    @Test
    void theBoundOfAnAtomicLoadCountsBlankAndRejectedLines() {
        Answer blank = api.load(ATOMIC, "{'customerId':1}", "\n".repeat((int) ApiFixture.ATOMIC_MAX_BYTES));
        Answer rejected = api.load(ATOMIC, "bad\n".repeat((int) ApiFixture.ATOMIC_MAX_BYTES / 4 + 1));

        assertThat(blank.status()).isEqualTo(413);
        assertThat(blank.body().path("type").asText()).isEqualTo("tidemark:load-too-large");
        assertThat(rejected.status()).isEqualTo(413);
        assertThat(api.get(ROWS + "/1").status()).isEqualTo(404);
    }

    @Test
    void anAtomicLoadMayHaveAllTheBytesOfItsBound() {
        String line = "{'customerId':1}\n";

        Answer answer = api.load(ATOMIC, line + "\n".repeat((int) ApiFixture.ATOMIC_MAX_BYTES - line.length()));

        assertThat(answer.status()).isEqualTo(200);
    }

    @Test
    void wrongTypesAndParametersAreRefused() {
        assertThat(api.post(ROWS, "{'customerId':1}").status()).isEqualTo(415);
        assertThat(api.load(ROWS + "?atomic=maybe", "{'customerId':1}").status())
                .isEqualTo(400);
        assertThat(api.load("/v1/tables/nope/rows", "{'customerId':1}").status())
                .isEqualTo(404);
    }

    @Test
    void aLoadThatCannotBeTakenSaysWhy() {
        api.refusal = Optional.of("the outbox is full");

        assertThat(api.load(ROWS, "{'customerId':1}").status()).isEqualTo(503);
        assertThat(api.load(ATOMIC, "{'customerId':1}").detail()).isEqualTo("the outbox is full");
    }

    @Tag("slow")
    @Test
    void aLargeLoadOfSmallRowsFitsIntoTheMemoryOfASmallWriter() throws PortInUseException {
        try (ApiFixture small = ApiFixture.ofHalfAGigabyte()) {
            Answer answer = small.load(ATOMIC, rows(160_000));

            assertThat(answer.detail()).isEmpty();
            assertThat(answer.body().path("committed").asInt()).isEqualTo(160_000);
            assertThat(small.get(ROWS + "/159999").status()).isEqualTo(200);
        }
    }

    @Tag("slow")
    @Test
    void aLoadThatNeverFitsIntoTheMemoryIsTooLarge() throws PortInUseException {
        try (ApiFixture small = ApiFixture.ofHalfAGigabyte()) {
            Answer answer = small.load(ATOMIC, rows(400_000));

            assertThat(answer.status()).as(answer.detail()).isEqualTo(413);
            assertThat(answer.body().path("type").asText()).isEqualTo("tidemark:load-too-large");
            assertThat(answer.detail()).contains("memory.budget.bytes").contains("nothing was applied");
            assertThat(small.get(ROWS + "/1").status()).isEqualTo(404);
        }
    }

    private static String rows(int count) {
        StringBuilder rows = new StringBuilder();
        for (int id = 0; id < count; id++) {
            rows.append("{'customerId':")
                    .append(id)
                    .append(",'x':'")
                    .append("y".repeat(70))
                    .append("'}\n");
        }
        return rows.toString();
    }
}
