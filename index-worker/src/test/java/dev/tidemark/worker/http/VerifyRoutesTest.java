package dev.tidemark.worker.http;

import java.net.URI;
import java.net.http.HttpResponse;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

import dev.tidemark.row.RowJson;
import dev.tidemark.worker.verify.VerifyJobs;

import static org.assertj.core.api.Assertions.assertThat;

class VerifyRoutesTest {
    private final WorkerServer server;

    VerifyRoutesTest() throws Exception {
        server = new WorkerServer(URI.create("http://127.0.0.1:1"));
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void takesAnOrderAndTellsWhereToAskForIt() throws Exception {
        HttpResponse<byte[]> answer =
                server.post("/v1/verify", "{'table':'films','index':'by_year','mode':'full','repair':true}");

        assertThat(answer.statusCode()).isEqualTo(202);
        String location = answer.headers().firstValue("Location").orElseThrow();
        assertThat(location).isEqualTo("/v1/verify/1");
        JsonNode job = server.json(location);
        assertThat(job).isEqualTo(RowJson.parse(answer.body()));
        assertThat(job.path("state").asText()).isEqualTo("waiting");
        assertThat(job.path("mode").asText()).isEqualTo("full");
        assertThat(job.path("repair").asBoolean()).isTrue();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{}; expected table to be one of [films, people], but got none",
                "{'table':'x'}; expected table to be one of [films, people], but got \"x\"",
                "{'table':'films','index':'x'}; expected index to be one of [by_actor, by_year, whole], but got \"x\"",
                "{'table':'films','mode':'x'}; expected mode to be quick or full, but got \"x\"",
                "{'table':'films','repair':1}; expected repair to be true or false, but got 1",
                "{'table':'films','x':1}; expected one of the members [index, mode, repair, table], but got x",
            },
            quoteCharacter = '`')
    void namesWhatIsWrongWithAnOrder(String order, String detail) throws Exception {
        HttpResponse<byte[]> answer = server.post("/v1/verify", order);

        assertThat(answer.statusCode()).isEqualTo(400);
        assertThat(RowJson.parse(answer.body()).path("detail").asText()).isEqualTo(detail);
    }

    @Test
    void doesNotKnowAnOrderThatNobodyGave() throws Exception {
        assertThat(server.get("/v1/verify/77").statusCode()).isEqualTo(404);
    }

    @Test
    void takesNoMoreOrdersThanItCanCarryOut() throws Exception {
        for (int i = 0; i < VerifyJobs.MOST_WAITING; i++) {
            assertThat(server.post("/v1/verify", "{'table':'films'}").statusCode())
                    .isEqualTo(202);
        }
        HttpResponse<byte[]> answer = server.post("/v1/verify", "{'table':'films'}");

        assertThat(answer.statusCode()).isEqualTo(429);
        assertThat(answer.headers().firstValue("Retry-After")).contains("5");
    }
}
