package dev.tidemark.worker.http;

import java.net.URI;
import java.time.Duration;
import java.util.List;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.explain.FactTable.FactRow;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.FilmShard;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriterFactsTest {
    private final TableDefinition plays = FilmShard.catalog().tables().get(1);
    private final HttpServer writer = writer();
    private final WriterClient facts = client(URI.create("http://127.0.0.1:" + writer.port() + "/"));
    private int status = 200;
    private String tag = "\"" + ChangeLog.version(7) + "\"";
    private String asked = "";
    private String row = "{\"name\":\"x\"}";
    private long reserved;
    private long most = Long.MAX_VALUE;

    @AfterEach
    void stop() {
        writer.close();
    }

    @Test
    void findsARowWithItsVersionByAKeyOfAnyText() throws Exception {
        FactRow found = facts.find(plays, key("[\"Paris, Texas\",\"a/b +%\"]"), this::reserve)
                .orElseThrow();

        assertThat(found.version()).isEqualTo(ChangeLog.version(7));
        assertThat(found.row().tree().path("name").textValue()).isEqualTo("x");
        assertThat(asked).isEqualTo("/v1/tables/plays/rows/%22Paris%2C%20Texas%22,%22a%2Fb%20%2B%25%22");
        assertThat(facts.find(plays, key("[1984,true]"), this::reserve)).isPresent();
        assertThat(asked).endsWith("/1984,true");
    }

    @Test
    void findsNothingWhereThereIsNone() throws Exception {
        status = 404;
        assertThat(facts.find(plays, key("[1,2]"), this::reserve)).isEmpty();
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

    @Test
    void aRowIsReadOnlyAsFarAsThereIsMemoryForItAndItsTree() throws Exception {
        row = "{\"name\":\"" + "x".repeat(1 << 20) + "\"}";
        assertThat(facts.find(plays, key("[1,2]"), this::reserve)).isPresent();
        assertThat(reserved).isGreaterThan(5L << 20);

        most = 1 << 20;
        reserved = 0;
        assertThatThrownBy(() -> facts.find(plays, key("[1,2]"), this::reserve)).isInstanceOf(ProblemException.class);
        assertThat(reserved).as("the rest is not read").isLessThan(2 << 20);
        most = 3 << 20;
        reserved = 0;
        assertThatThrownBy(() -> facts.find(plays, key("[1,2]"), this::reserve)).isInstanceOf(ProblemException.class);
    }

    @Test
    void aVersionAloneIsFoundWithoutItsRow() throws Exception {
        row = "x".repeat(20 << 20);
        assertThat(facts.version(plays, key("[1,2]"))).contains(ChangeLog.version(7));
        status = 404;
        assertThat(facts.version(plays, key("[1,2]"))).isEmpty();
    }

    private void reserve(long bytes) {
        reserved += bytes;
        if (reserved > most) {
            throw new ProblemException(Problem.of(503, "Out of memory", "for the test"));
        }
    }

    private static WriterClient client(URI writer) {
        return new WriterClient(
                new ServiceConnection(ServiceClient.plain(writer)), new WriterCallLimit(1, new SteadyClock()));
    }

    private void refused(WriterClient from, KeyBytes key, String reason) {
        assertThatThrownBy(() -> from.find(plays, key, this::reserve))
                .isInstanceOf(NotAnswerableException.class)
                .hasMessageContaining(reason);
    }

    private KeyBytes key(String json) throws Exception {
        return plays.keyFromJson(RowJson.parse(json.getBytes(UTF_8)));
    }

    private HttpServer writer() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200)),
                    List::of,
                    () -> "",
                    WorkerRoutes.OPEN_API,
                    List.of(Route.get("/v1/tables/plays/rows/{key}", Permission.NOTHING, call -> {
                        asked = call.path();
                        call.status(status).header("ETag", tag).result(row);
                    })));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
