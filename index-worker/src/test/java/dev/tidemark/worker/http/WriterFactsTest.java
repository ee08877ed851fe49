package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Need;
import dev.tidemark.http.Peer;
import dev.tidemark.http.Route;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.explain.FactTable.FactRow;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Shelf;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriterFactsTest {
    private final TableDefinition plays = Shelf.catalog().tables().get(1);
    private final HttpServer writer = writer();
    private final WriterFacts facts = client(URI.create("http://127.0.0.1:" + writer.port() + "/"));
    private int status = 200;
    private String tag = "\"" + ChangeLog.version(7) + "\"";
    private String asked = "";

    @AfterEach
    void stop() {
        writer.close();
    }

    @Test
    void findsARowWithItsVersionByAKeyOfAnyText() throws Exception {
        FactRow found = facts.find(plays, key("[\"Paris, Texas\",\"a/b +%\"]")).orElseThrow();

        assertThat(found.version()).isEqualTo(ChangeLog.version(7));
        assertThat(found.row().tree().path("name").textValue()).isEqualTo("x");
        assertThat(asked).isEqualTo("/v1/tables/plays/rows/%22Paris%2C%20Texas%22,%22a%2Fb%20%2B%25%22");
        assertThat(facts.find(plays, key("[1984,true]"))).isPresent();
        assertThat(asked).endsWith("/1984,true");
    }

    @Test
    void findsNothingWhereThereIsNone() throws Exception {
        status = 404;
        assertThat(facts.find(plays, key("[1,2]"))).isEmpty();
    }

    @Test
    void saysSoWhenTheWriterIsOfNoHelp() throws Exception {
        KeyBytes key = key("[1,2]");
        status = 503;
        refused(facts, key, "status 503");
        status = 200;
        tag = "none";
        refused(facts, key, "no usable answer");
        // Nobody listens there.
        refused(client(URI.create("http://127.0.0.1:1")), key, "cannot be reached");
    }

    private static WriterFacts client(URI writer) {
        return new WriterFacts(Peer.plain(writer), new WriterTurns(1, new SteadyClock()));
    }

    private void refused(WriterFacts from, KeyBytes key, String reason) {
        assertThatThrownBy(() -> from.find(plays, key))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining(reason);
    }

    private KeyBytes key(String json) throws Exception {
        return plays.keyFromJson(RowJson.parse(json.getBytes(UTF_8)));
    }

    private HttpServer writer() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofSeconds(1)),
                    List::of,
                    () -> "",
                    WorkerRoutes.OPEN_API,
                    List.of(Route.get("/v1/tables/plays/rows/{key}", Need.NOTHING, call -> {
                        asked = call.path();
                        call.status(status).header("ETag", tag).result("{\"name\":\"x\"}");
                    })));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
