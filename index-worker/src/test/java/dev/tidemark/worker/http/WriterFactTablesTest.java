package dev.tidemark.worker.http;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.FactStreamHead;
import dev.tidemark.facts.FactStreamWriter;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.http.Call;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.Route;
import dev.tidemark.http.ServiceClient;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.Tables;
import dev.tidemark.worker.verify.CannotVerifyException;
import dev.tidemark.worker.verify.FactReader;
import dev.tidemark.worker.verify.FactStream;
import dev.tidemark.worker.verify.WriterBusyException;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class WriterFactTablesTest {
    private static final int MIB = 1 << 20;
    private static final KeyBytes KEY = new ChangeLog(Tables.films()).key("1");
    private static final RowDocument ROW = RowDocument.stored("{\"id\":1}".getBytes(UTF_8));
    private static final FactStreamHead HEAD = new FactStreamHead(ChangeLog.version(7), ChangeLog.at(7));

    private final TableDefinition films = Tables.films();
    private final HttpServer writer = writer();
    private final WriterFactTables facts = client(URI.create("http://127.0.0.1:" + writer.port() + "/"));
    private int status = 200;
    private int rowBytes;
    private boolean torn;
    private String answer = "";
    private String asked = "";

    @AfterEach
    void stop() {
        writer.close();
    }

    @Test
    void readsAWholeTable() throws Exception {
        try (FactStream stream = facts.stream(films, true)) {
            assertThat(stream.head()).isEqualTo(HEAD);
            assertThat(stream.next()).isEqualTo(new StreamedFact(KEY, ChangeLog.version(3), Optional.of(ROW)));
            assertThat(stream.next()).isNull();
        }
        assertThat(asked).isEqualTo("rows=whole");
        facts.stream(films, false).close();
        assertThat(asked).isEqualTo("rows=versions");
    }

    @Test
    void aStreamThatBreaksOffIsNoProof() throws Exception {
        torn = true;
        try (FactStream stream = facts.stream(films, true)) {
            stream.next();
            assertThatThrownBy(stream::next)
                    .isInstanceOf(CannotVerifyException.class)
                    .hasMessageContaining("broke off");
        }
    }

    @Test
    void findsRowsWithTheirVersionsAndBetweenWhichCommits() throws Exception {
        answer = "{\"rows\":[{\"key\":1,\"version\":\"" + ChangeLog.version(3)
                + "\",\"row\":{\"id\":1}},null],\"from\":\"" + ChangeLog.version(5) + "\",\"to\":\""
                + ChangeLog.version(6) + "\"}";

        try (FactReader.Found found = facts.find(films, List.of(KEY, new ChangeLog(films).key("2")))) {
            assertThat(found.from()).isEqualTo(ChangeLog.version(5));
            assertThat(found.to()).isEqualTo(ChangeLog.version(6));
            assertThat(found.rows())
                    .containsExactly(
                            Optional.of(new StreamedFact(KEY, ChangeLog.version(3), Optional.of(ROW))),
                            Optional.empty());
        }
    }

    @Test
    void rowsStayReservedUntilTheyAreNotNeededAndAreNoMoreThanThereIsMemoryFor() throws Exception {
        MemoryBudget.Part memory = new MemoryBudget(MIB << 5).part("verification", 1);
        WriterFactTables bounded = client(URI.create("http://127.0.0.1:" + writer.port() + "/"), memory);
        List<KeyBytes> keys = IntStream.range(0, 200)
                .mapToObj(id -> new ChangeLog(films).key(String.valueOf(id)))
                .toList();
        rowBytes = MIB;

        int read = 0;
        while (read < keys.size()) {
            try (FactReader.Found found = bounded.find(films, keys.subList(read, keys.size()))) {
                assertThat(found.rows()).isNotEmpty();
                assertThat(memory.reserved()).isBetween((long) found.rows().size() * MIB, (long) MIB << 4);
                read += found.rows().size();
            }
            assertThat(memory.reserved()).isZero();
        }
    }

    @Test
    void aRowForWhichThereIsNoMemoryIsNotLookedAt() {
        MemoryBudget.Part memory = new MemoryBudget(1 << 10).part("verification", 1);
        WriterFactTables bounded = client(URI.create("http://127.0.0.1:" + writer.port() + "/"), memory);

        refused(() -> bounded.find(films, List.of(KEY)), "no memory left");
    }

    @Test
    void findsBetweenWhichCommitsATableStandsWithoutAnyKey() throws Exception {
        answer = "{\"rows\":[],\"from\":\"" + ChangeLog.version(5) + "\",\"to\":\"" + ChangeLog.version(6) + "\"}";

        try (FactReader.Found found = facts.find(films, List.of())) {
            assertThat(found.from()).isEqualTo(ChangeLog.version(5));
            assertThat(found.to()).isEqualTo(ChangeLog.version(6));
            assertThat(found.rows()).isEmpty();
        }
    }

    @Test
    void saysSoWhenTheWriterIsOfNoHelp() {
        WriterFactTables nobody = client(URI.create("http://127.0.0.1:1"));
        refused(() -> nobody.stream(films, true), "does not send");
        refused(() -> nobody.find(films, List.of(KEY)), "cannot be reached");
        answer = "{\"rows\":[]}";
        refused(() -> facts.find(films, List.of(KEY)), "0 rows of 1");
        answer = "{\"rows\":[null]}";
        refused(() -> facts.find(films, List.of(KEY)), "no usable rows");
        status = 500;
        refused(() -> facts.stream(films, true), "status 500");
        status = 429;
        assertThatThrownBy(() -> facts.stream(films, true))
                .isInstanceOf(WriterBusyException.class)
                .hasMessageContaining("status 429");
        refused(() -> facts.find(films, List.of(KEY)), "status 429");
    }

    private static WriterFactTables client(URI writer) {
        return client(writer, MemoryBudget.unlimited().part("verification", 1));
    }

    private static WriterFactTables client(URI writer, MemoryBudget.Part memory) {
        return new WriterFactTables(new ServiceConnection(ServiceClient.plain(writer)), memory, new SteadyClock());
    }

    private static void refused(ThrowingCallable call, String reason) {
        assertThatThrownBy(call).isInstanceOf(CannotVerifyException.class).hasMessageContaining(reason);
    }

    private byte[] stream() throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        FactStreamWriter out = new FactStreamWriter(bytes, HEAD);
        out.row(KEY, ChangeLog.version(3), ROW);
        if (!torn) {
            out.end();
        }
        return bytes.toByteArray();
    }

    /** A long row for each key. */
    private String rows(Call call) throws BadJsonException {
        int keys = RowJson.parseObject(call.body()).path("keys").size();
        String row = "{\"version\":\"" + ChangeLog.version(3) + "\",\"row\":{\"id\":1,\"text\":\""
                + "x".repeat(rowBytes) + "\"}}";
        return "{\"rows\":[" + String.join(",", Collections.nCopies(keys, row)) + "],\"from\":\"" + ChangeLog.version(5)
                + "\",\"to\":\"" + ChangeLog.version(6) + "\"}";
    }

    private HttpServer writer() {
        try {
            return HttpServer.start(
                    new HttpSettings("127.0.0.1", 0, 8, Duration.ofMillis(200)),
                    List::of,
                    () -> "",
                    WorkerRoutes.OPEN_API,
                    List.of(
                            Route.get("/v1/tables/films/facts", Permission.NOTHING, call -> {
                                        asked = String.valueOf(call.queryString());
                                        call.status(status).result(stream());
                                    })
                                    .reading("rows"),
                            Route.post(
                                    "/v1/tables/films/rows:lookup",
                                    Permission.NOTHING,
                                    call -> call.status(status).result(rowBytes == 0 ? answer : rows(call)))));
        } catch (Exception e) {
            throw new IllegalStateException(e);
        }
    }
}
