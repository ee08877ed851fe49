package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpResponse;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import dev.tidemark.progress.SessionToken;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;

/** Answers that the tests of the calls do not come by. As every answer, they are held against the document. */
class PublishedAnswersTest {
    private static final String MORE = """
            tables:
              films:
                primaryKey: id
                partitions: 1
                indexes: { by_title: { key: [title], projection: keys_only } }
              people: { primaryKey: id, partitions: 4 }
            """;

    private final WorkerServer server;

    PublishedAnswersTest() throws Exception {
        server = new WorkerServer(URI.create("http://127.0.0.1:1"));
    }

    @BeforeEach
    void follow() {
        server.films.put(1, "{\"id\":1,\"title\":\"Alien\",\"year\":1979,\"cast\":[\"Sigourney Weaver\"]}");
        server.films.heartbeat(2);
        server.deliver();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void anIndexThatIsBuiltSaysHowFarThatIs() throws Exception {
        server.bench.define(server.bench.definitions().changed(Tables.catalog(MORE), ChangeLog.START));
        server.bench.run();

        HttpResponse<byte[]> answer = server.get("/v1/indexes/by_title/entries");

        assertThat(answer.statusCode()).isEqualTo(425);
        JsonNode problem = RowJson.parse(answer.body());
        assertThat(problem.path("state").asText()).isEqualTo("building");
        assertThat(problem.at("/progress/rowsDone").isNumber()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "/entries", "/explain?key=1"})
    void nothingIsSaidOfAnIndexBeforeTheDefinitionsAreKnown(String call) throws Exception {
        server.defined = false;

        assertThat(server.get("/v1/indexes/by_title" + call).statusCode()).isEqualTo(503);
    }

    @Test
    void norOfAWriteOrATable() throws Exception {
        server.defined = false;
        String token = SessionToken.of("films", 0, ChangeLog.version(1)).encode();

        assertThat(server.get("/v1/receipts/" + token).statusCode()).isEqualTo(503);
        assertThat(server.post("/v1/tables/films/pause").statusCode()).isEqualTo(503);
        assertThat(server.post("/v1/verify", "{'table':'films'}").statusCode()).isEqualTo(503);
    }

    @Test
    void whatIsMissingIsSaidBesideWhatIsKnownOfTheRest() throws Exception {
        HttpResponse<byte[]> answer = server.get("/v1/indexes/by_actor/entries?max_staleness=0s&wait=0s");

        assertThat(answer.statusCode()).isEqualTo(503);
        assertThat(RowJson.parse(answer.body()).has("stalenessMs")).isTrue();
    }
}
