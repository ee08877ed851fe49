package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Peer;
import dev.tidemark.http.Requests;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriterClientTest {
    private final List<Integer> questions = new ArrayList<>();
    private final HttpServer writer = writer();
    private final WriterClient client =
            new WriterClient(Peer.plain(URI.create("http://127.0.0.1:" + writer.port() + "/")));
    private int status = 200;

    @AfterEach
    void stop() {
        writer.close();
    }

    @Test
    void answersRowsInTheOrderAskedAndNothingForThoseThatAreGone() throws Exception {
        List<Optional<JsonNode>> rows = client.lookup(Tables.films(), keys(3));
        assertThat(rows).hasSize(3);
        assertThat(rows.get(0)).isEmpty();
        assertThat(rows.get(1))
                .hasValueSatisfying(row -> assertThat(row.path("id").intValue()).isEqualTo(1));
    }

    @Test
    void asksInPieces() throws Exception {
        assertThat(client.lookup(Tables.films(), keys(450))).hasSize(450);
        assertThat(questions).containsExactly(200, 200, 50);
        assertThat(client.lookup(Tables.films(), List.of())).isEmpty();
    }

    @Test
    void saysSoWhenTheWriterIsNotWell() {
        status = 503;
        assertThatThrownBy(() -> client.lookup(Tables.films(), keys(1)))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining("status 503");
    }

    private HttpServer writer() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofSeconds(1)),
                    List::of,
                    () -> "",
                    WorkerRoutes.OPEN_API,
                    routes -> routes.post("/v1/tables/films/rows:lookup", context -> {
                        byte[] question = Requests.body(context, 1 << 20);
                        context.status(status).result(RowJson.write(answer(RowJson.parse(question))));
                    }));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }

    /** Every row but the one with key 0. */
    private ObjectNode answer(JsonNode question) {
        questions.add(question.path("keys").size());
        ObjectNode answer = RowJson.mapper().createObjectNode();
        ArrayNode rows = answer.putArray("rows");
        for (JsonNode key : question.path("keys")) {
            if (key.intValue() == 0) {
                rows.addNull();
            } else {
                rows.addObject().putObject("row").set("id", key);
            }
        }
        return answer;
    }

    private static List<KeyBytes> keys(int count) {
        ChangeLog log = new ChangeLog(Tables.films());
        List<KeyBytes> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(log.key(Integer.toString(i)));
        }
        return keys;
    }
}
