package dev.tidemark.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.LongStream;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Typed calls against prepared answers. */
final class SessionTest {
    private static final String FRESH =
            "'freshness':{'completeUpTo':'2026-11-20T12:00:00Z','stalenessMs':7,'state':'steady'}";

    private final StubService service = StubService.start();
    private final Tidemark tidemark = Tidemark.connect(
            Tidemark.options().writer(service.url()).worker(service.url()).build());
    private final Session session = tidemark.session();

    /** A row of the tests. */
    record Film(String title, int year) {}

    @AfterEach
    void stop() {
        tidemark.close();
        service.close();
    }

    private static String token(int partition, long sequence) {
        return token(partition, new RowVersion(1, sequence));
    }

    private static String token(int partition, RowVersion version) {
        return SessionToken.of("films", partition, version, new WrittenRow(KeyBytes.wrap(new byte[] {1, 2}), false))
                .encode();
    }

    private static String written(int partition, long sequence) {
        return "{'key':'x','version':'" + sequence + "','token':'" + token(partition, sequence) + "'}";
    }

    @Test
    void conditionsAreHeadersAndKeysKeepTheirTypes() {
        Table<Film> films = session.table("films", Film.class);
        for (int i = 0; i < 5; i++) {
            service.answers(200, written(0, 1));
        }

        films.put("7", new Film("Alien", 1979), Condition.absent());
        films.put(7, new Film("Alien", 1979), Condition.version("0001"));
        films.patch(List.of("a,b", 1), Map.of("year", 1980), Condition.present());
        films.delete("ä/ö");
        films.delete(JsonNodeFactory.instance.arrayNode().add("7").add(true));

        assertThat(service.requests)
                .containsExactly(
                        "PUT /v1/tables/films/rows/%227%22 {\"title\":\"Alien\",\"year\":1979}",
                        "PUT /v1/tables/films/rows/7 {\"title\":\"Alien\",\"year\":1979}",
                        "PATCH /v1/tables/films/rows/%22a%2Cb%22,1 {\"year\":1980}",
                        "DELETE /v1/tables/films/rows/%22%C3%A4%2F%C3%B6%22",
                        "DELETE /v1/tables/films/rows/%227%22,true");
        assertThat(service.headers.get(0)).containsEntry("If-none-match", List.of("*"));
        assertThat(service.headers.get(1)).containsEntry("If-match", List.of("\"0001\""));
        assertThat(service.headers.get(2))
                .containsEntry("If-match", List.of("*"))
                .containsEntry("Content-type", List.of("application/merge-patch+json"));
    }

    @Test
    void aFailedConditionShowsTheVersionOfTheRow() {
        service.answers(412, "{'status':412,'detail':'it has version 5','version':'5'}");
        service.answers(412, "{'status':412,'detail':'there is none','version':null}");

        assertThatThrownBy(() -> session.table("films").delete(1))
                .isInstanceOfSatisfying(
                        TidemarkException.ConditionFailed.class,
                        e -> assertThat(e.currentVersion()).contains("5"));
        assertThatThrownBy(() -> session.table("films").delete(1))
                .isInstanceOfSatisfying(
                        TidemarkException.ConditionFailed.class,
                        e -> assertThat(e.currentVersion()).isEmpty());
    }

    @Test
    void everyStatusHasItsException() {
        Map<Integer, Class<?>> kinds = Map.of(
                400, TidemarkException.InvalidRequest.class,
                403, TidemarkException.AccessDenied.class,
                404, TidemarkException.NotFound.class,
                410, TidemarkException.TokenGone.class,
                422, TidemarkException.InvalidRequest.class,
                425, TidemarkException.IndexNotReady.class,
                500, TidemarkException.UnexpectedAnswer.class);
        kinds.forEach((status, kind) -> {
            service.answers(status, "{'status':" + status + ",'detail':'no','errors':[{'detail':'one'},'two']}");
            assertThatThrownBy(() -> session.query("films.by_year").page())
                    .isInstanceOf(kind)
                    .hasMessage("answered " + status + ": no\n  - one\n  - two");
        });
        service.answers(200, "no JSON");
        assertThatThrownBy(() -> session.query("films.by_year").page())
                .isInstanceOf(TidemarkException.UnexpectedAnswer.class);
    }

    @Test
    void aQueryCarriesTheNewestVersionWrittenToEachPartition() throws BadTokenException {
        service.answers(200, written(2, 9)).answers(200, written(0, 4)).answers(200, written(2, 5));
        Table<Film> films = session.table("films", Film.class);
        films.delete(1);
        films.delete(2);
        films.delete(3);
        service.answers(200, "{'entries':[],'next':null," + FRESH + "}");

        session.query("films.by_year").page();

        String asked = service.requests.get(3).replaceAll(".*token=([^&]*).*", "$1");
        assertThat(SessionToken.decode(asked).versions())
                .isEqualTo(Map.of(0, new RowVersion(1, 4), 2, new RowVersion(1, 9)));
        assertThat(session.tokens()).containsExactly(asked);
        assertThat(tidemark.session(session.tokens()).tokens()).containsExactly(asked);
        service.answers(200, "{'entries':[],'next':null," + FRESH + "}");
        session.query("actors.by_name").page();
        assertThat(service.requests.get(4)).doesNotContain("token=");
    }

    /** The service refuses that token, because it cannot know whether the write before survived. */
    @Test
    void aWriteAfterTheTablesWentBackInTimeDoesNotHideTheOnesBefore() throws BadTokenException {
        String before = token(0, new RowVersion(1, 500));
        String after = token(0, new RowVersion(2, 480));

        for (List<String> order : List.of(List.of(before, after), List.of(after, before))) {
            service.answers(200, "{'entries':[],'next':null," + FRESH + "}");
            tidemark.session(order).query("films.by_year").page();
        }

        for (String request : service.requests) {
            assertThat(SessionToken.decode(request.replaceAll(".*token=([^&]*).*", "$1"))
                            .versions())
                    .isEqualTo(Map.of(0, new RowVersion(1, RowVersion.MAX_SEQUENCE)));
        }
    }

    @Test
    void whatIsNoTokenIsRefused() {
        for (String text : List.of("", "A", "AAAA", "x y", token(1, 1).substring(4))) {
            assertThatThrownBy(() -> tidemark.session(List.of(text))).isInstanceOf(IllegalArgumentException.class);
        }
    }

    @Test
    void aPageIsReadWhenTheStreamComesToIt() {
        service.answers(200, page("c1", 1, 2)).answers(200, page("c2", 3, 4)).answers(200, page(null, 5));
        Query<Film> query = session.query("films.by_year", Film.class).pageSize(2);
        Iterator<Entry<Film>> entries = query.stream().iterator();

        assertThat(service.requests).isEmpty();
        entries.next();
        entries.next();
        assertThat(service.requests).hasSize(1);
        assertThat(entries.next().row()).contains(new Film("f3", 3));
        assertThat(service.requests).hasSize(2);
        entries.next();
        entries.next();
        assertThat(entries.hasNext()).isFalse();
        assertThat(service.requests).hasSize(3).last().asString().contains("cursor=c2");
    }

    @Test
    void aLimitSpansPages() {
        service.answers(200, page("c1", 1, 2)).answers(200, page("c2", 3));

        assertThat(session.query("films.by_year", Film.class).pageSize(2).limit(3).stream())
                .hasSize(3);

        assertThat(service.requests).hasSize(2).last().asString().contains("limit=1&");
    }

    @Test
    void aQueryIsWhatTheParametersSpell() {
        service.answers(200, page(null));

        session.query("films.by_genre", Film.class)
                .equalTo("genre", "Sci-Fi & more")
                .atLeast("year", 1990)
                .lessThan("year", 2000)
                .descending()
                .fetchRow()
                .maxStaleness(Duration.ofSeconds(5))
                .waitUpTo(Duration.ofMillis(1500))
                .cursor("c=")
                .page();

        assertThat(service.requests)
                .containsExactly("GET /v1/indexes/films.by_genre/entries?genre.eq=%22Sci-Fi%20%26%20more%22"
                        + "&year.gte=1990&year.lt=2000&order=desc&fetch=row&max_staleness=5000ms&cursor=c%3D"
                        + "&limit=100&wait=1500ms");
        assertThatThrownBy(() -> session.query("by_genre")).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPartialAnswerShowsWhatIsMissingAndIsNoStreamOfEntries() {
        service.answers(
                200,
                "{'entries':[],'next':null,'freshness':{'completeUpTo':null,'stalenessMs':null,'state':'degraded',"
                        + "'missingPartitions':[3],'quarantined':{'count':2,'rows':[]},'refused':1}}");
        Query<Film> query = session.query("films.by_year", Film.class).allowPartial();

        Page<Film> page = query.page();

        assertThat(page.freshness())
                .isEqualTo(new Freshness(Optional.empty(), Optional.empty(), "degraded", List.of(3), 2, 1));
        assertThat(page.freshness().isComplete()).isFalse();
        assertThatThrownBy(query::stream).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void rowsAreLookedUpAndScanned() {
        service.answers(200, "{'rows':[{'key':1,'version':'1','row':{'title':'A','year':1,'more':0.10}},null]}");
        Table<Film> films = session.table("films", Film.class);
        assertThat(films.lookup(List.of(1, 2)))
                .extracting(row -> row.map(Row::value))
                .containsExactly(Optional.of(new Film("A", 1)), Optional.empty());
        service.answers(200, "{'rows':[{'key':1,'version':'1','row':{'price':0.10}}],'next':'c'}");
        service.answers(200, "{'rows':[],'next':null}");
        assertThat(session.table("films").scan())
                .singleElement()
                .satisfies(row -> assertThat(row.value()).hasToString("{\"price\":0.10}"));
        assertThat(service.requests)
                .containsExactly(
                        "POST /v1/tables/films/rows:lookup {\"keys\":[1,2]}",
                        "GET /v1/tables/films/rows?limit=1000",
                        "GET /v1/tables/films/rows?limit=1000&cursor=c");
    }

    @Test
    void aMapperThatIndentsDoesNotBreakTheLinesOfALoad() {
        service.answers(200, "{'committed':2,'rejected':[],'rejectedTotal':0}");

        mappedBy(new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT))
                .table("films", Film.class)
                .load(Stream.of(Change.put(new Film("Alien", 1979)), Change.delete(List.of("a", 1))));

        assertThat(service.requests)
                .containsExactly(
                        "POST /v1/tables/films/rows {\"title\":\"Alien\",\"year\":1979}\n{\"$delete\":[\"a\",1]}");
    }

    @Test
    void aMapperOfRowsDoesNotReadKeys() {
        String key = "0.1234567890123456789";
        service.answers(200, "{'rows':[{'key':" + key + ",'version':'1','row':{'title':'A','year':1}}]}");
        service.answers(
                200,
                "{'entries':[{'key':{'price':1.10},'primaryKey':" + key + ",'shard':0,'version':'1'}],'next':null,"
                        + FRESH + "}");
        Session mapped = mappedBy(new ObjectMapper());

        assertThat(mapped.table("films", Film.class).get(1).orElseThrow().key()).hasToString(key);
        assertThat(mapped.query("films.by_price").page().entries())
                .singleElement()
                .satisfies(entry -> assertThat(entry.primaryKey()).hasToString(key))
                .satisfies(entry -> assertThat(entry.key()).hasToString("{\"price\":1.10}"));
    }

    private Session mappedBy(ObjectMapper rows) {
        Options options = Tidemark.options()
                .writer(service.url())
                .worker(service.url())
                .mapper(rows)
                .build();
        return Tidemark.connect(options).session();
    }

    @Test
    void aLoadOfAnyLengthTakesLittleMemory() {
        AtomicLong made = new AtomicLong();
        AtomicLong most = new AtomicLong();
        service.handles((StubService.Reader) exchange -> {
            byte[] buffer = new byte[8192];
            long lines = 0;
            for (int n; (n = exchange.getRequestBody().read(buffer)) >= 0; ) {
                for (int i = 0; i < n; i++) {
                    lines += buffer[i] == '\n' ? 1 : 0;
                }
                most.accumulateAndGet(made.get() - lines, Math::max);
            }
            byte[] answer = ("{\"committed\":" + lines
                            + ",\"rejected\":[{\"line\":4,\"detail\":\"bad\"}],\"rejectedTotal\":1,\"token\":\""
                            + token(1, 1) + "\"}")
                    .getBytes(StandardCharsets.UTF_8);
            exchange.sendResponseHeaders(200, answer.length);
            exchange.getResponseBody().write(answer);
        });
        Stream<Change<Film>> changes = LongStream.range(0, 200_000).mapToObj(i -> {
            made.incrementAndGet();
            return i % 2 == 0 ? Change.put(new Film("x".repeat(100), (int) i)) : Change.delete(i);
        });

        BulkResult result = session.table("films", Film.class).load(changes);

        assertThat(result.committed()).isEqualTo(200_000);
        assertThat(result.rejected()).containsExactly(new BulkResult.Rejection(4, "bad"));
        assertThat(session.tokens()).hasSize(1);
        // What the sockets and their buffers hold, of lines of 70 bytes.
        assertThat(most.get()).isLessThan(150_000);
    }

    @Test
    void aLoadThatBreaksInTheMiddleIsNotEndedAsIfItWereWhole() {
        AtomicLong ended = new AtomicLong();
        service.handles((StubService.Reader) exchange -> {
            exchange.getRequestBody().readAllBytes();
            ended.incrementAndGet();
            exchange.sendResponseHeaders(200, -1);
        });
        Stream<Change<Film>> changes = Stream.iterate(1, i -> i + 1).map(i -> {
            if (i == 5_000) {
                throw new IllegalArgumentException("row 5,000");
            }
            return Change.put(new Film("x", i));
        });

        assertThatThrownBy(() -> session.table("films", Film.class).loadAtomically(changes))
                .hasMessage("row 5,000");
        assertThat(ended).hasValue(0);
    }

    @Test
    void aReceiptIsRead() {
        service.answers(
                200,
                "{'token':'t','table':'films','decided':true,'indexes':[{'index':'by_year','status':'visible',"
                        + "'visibleSince':'2026-11-20T12:00:00Z'},{'index':'by_x','status':'not_applicable',"
                        + "'reason':'none'}]}");

        Receipt receipt = session.receipt("t", Duration.ofSeconds(1));

        assertThat(receipt.indexes())
                .containsExactly(
                        new Receipt.InIndex(
                                "by_year",
                                "visible",
                                Optional.of(Instant.parse("2026-11-20T12:00:00Z")),
                                Optional.empty()),
                        new Receipt.InIndex("by_x", "not_applicable", Optional.empty(), Optional.of("none")));
        assertThat(service.requests).containsExactly("GET /v1/receipts/t?wait=1000ms");
    }

    private static String page(@Nullable String next, int... years) {
        StringBuilder entries = new StringBuilder();
        for (int year : years) {
            entries.append(entries.isEmpty() ? "" : ",")
                    .append("{'key':{'year':" + year + "},'primaryKey':" + year
                            + ",'shard':0,'version':'1','row':{'title':'f" + year + "','year':" + year + "}}");
        }
        return "{'entries':[" + entries + "],'next':" + (next == null ? "null" : "'" + next + "'") + "," + FRESH + "}";
    }
}
