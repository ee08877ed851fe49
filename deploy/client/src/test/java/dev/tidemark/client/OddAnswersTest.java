package dev.tidemark.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.SequenceInputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Answers of newer services, smaller pages, and sources that fail. */
final class OddAnswersTest {
    private static final String KNOWN = "AgFhAAAABAAAAAAAAQAAAAA";

    private final StubService service = StubService.start();
    private final Tidemark tidemark = Tidemark.connect(
            Tidemark.options().writer(service.url()).worker(service.url()).build());
    private final Session session = tidemark.session();

    @AfterEach
    void stop() {
        tidemark.close();
        service.close();
    }

    private Written put(String token) {
        service.answers(200, "{'key':1,'version':'1','token':" + token + "}");
        return session.table("a", Map.class).put(1, Map.of("id", 1));
    }

    private String queried() {
        service.answers(200, "{'entries':[],'next':null,'freshness':{}}");
        session.query("a.i").page();
        return service.requests.get(service.requests.size() - 1);
    }

    @Test
    void aTokenOfANewerFormatIsSentAsItIs() {
        for (String newer : new String[] {newer("a"), "~v2~"}) {
            put("'" + KNOWN + "'");
            assertThat(put("'" + newer + "'").token()).isEqualTo(newer);

            assertThat(queried()).endsWith("&token=" + newer);
            assertThat(session.tokens()).containsExactly(newer);
        }
        assertThat(tidemark.session(List.of(newer("a"))).tokens()).containsExactly(newer("a"));
        put("'" + KNOWN + "'");
        assertThat(queried()).contains("&token=AQ");
    }

    @Test
    void aWriteWithoutATokenWasDone() {
        assertThat(put("null").token()).isEmpty();
        service.answers(200, "{'key':1,'version':'1'}");
        assertThat(session.table("a").delete(1).version()).isEqualTo("1");
        assertThat(queried()).doesNotContain("token");
    }

    @Test
    void noEntriesAreNotAskedFor() {
        Query<?> none = session.query("a.i").limit(0);

        assertThat(none.stream()).isEmpty();
        assertThat(none.page().entries()).isEmpty();
        assertThat(none.page().freshness().state()).isEqualTo("unknown");
        assertThat(service.requests).isEmpty();
    }

    @Test
    void aScanTakesThePagesThatTheServiceHas() {
        service.answers(400, "{'type':'tidemark:limit-too-large','status':400,'detail':'from 1 to 10'}");
        service.answers(200, "{'rows':[{'key':1,'version':'1','row':{}}],'next':'c'}");
        service.answers(200, "{'rows':[],'next':null}");

        assertThat(session.table("a").scan()).hasSize(1);

        assertThat(service.requests)
                .containsExactly(
                        "GET /v1/tables/a/rows?limit=1000",
                        "GET /v1/tables/a/rows?limit=100",
                        "GET /v1/tables/a/rows?limit=100&cursor=c");
    }

    @Test
    void aSourceThatFailsIsNotTheEndOfALoad() throws IOException {
        AtomicBoolean ended = new AtomicBoolean();
        service.handles((StubService.Reader) exchange -> {
            exchange.getRequestBody().readAllBytes();
            ended.set(true);
            exchange.sendResponseHeaders(200, -1);
        });
        InputStream closed = InputStream.nullInputStream();
        closed.close();
        InputStream rows = new SequenceInputStream(
                new ByteArrayInputStream("{}\n".repeat(50_000).getBytes(StandardCharsets.UTF_8)), closed);

        assertThatThrownBy(() -> tidemark.writer().send(Request.stream("/v1/tables/a/rows?atomic=true", () -> rows)))
                .isInstanceOf(TidemarkException.OutcomeUnknown.class);
        assertThat(ended).isFalse();
    }

    private static String newer(String table) {
        byte[] name = table.getBytes(StandardCharsets.UTF_8);
        ByteBuffer out = ByteBuffer.allocate(2 + name.length + 8);
        out.put((byte) 9).put((byte) name.length).put(name);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(out.array());
    }
}
