package dev.tidemark.worker.http;

import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

import dev.tidemark.change.Heartbeat;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.testkit.ChangeLog;
import dev.tidemark.worker.testkit.OwnThread;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

class ReceiptRoutesTest {
    private static final String HEAT = "{\"id\":1,\"title\":\"Heat\",\"year\":1995,\"kind\":\"film\",\"cast\":[\"A\"]}";

    private final RowServer server = new RowServer();

    @BeforeEach
    void follow() {
        server.shelf.log().put(95, HEAT);
        server.shelf.deliver();
    }

    @AfterEach
    void stop() {
        server.close();
    }

    @Test
    void tellsOfEachIndex() throws Exception {
        String token = token(95);

        assertThat(server.json("/v1/receipts/" + token))
                .isEqualTo(json("{'token':'" + token + "','table':'films','decided':true,'primaryKey':1,'partition':0,"
                        + "'version':'0001000000000000095','operation':'upsert','committedAt':'2026-01-01T00:01:35Z',"
                        + "'indexes':["
                        + "{'index':'by_actor','status':'visible','visibleSince':'2026-01-01T00:01:40Z'},"
                        + "{'index':'by_year','status':'visible','visibleSince':'2026-01-01T00:01:40Z'},"
                        + "{'index':'recent','status':'not_applicable','visibleSince':'2026-01-01T00:01:40Z',"
                        + "'reason':'where requires year gte 2000'},"
                        + "{'index':'films.explain','status':'visible','visibleSince':'2026-01-01T00:01:40Z'}]}"));
    }

    @Test
    void tellsWhatAPendingWriteWaitsForAndWaitsForItWhenAsked() throws Exception {
        String path = "/v1/receipts/" + token(99);
        assertThat(server.json(path).at("/indexes/1"))
                .isEqualTo(json("{'index':'by_year','status':'pending','changesBefore':3,'etaSeconds':null}"));
        assertThat(server.json(path + "?wait=1ms").path("decided").booleanValue())
                .isFalse();
        CompletableFuture<JsonNode> waiting = OwnThread.supply(() -> {
            try {
                return server.json(path + "?wait=20s");
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        });
        server.shelf.log().put(99, HEAT);
        server.shelf.deliver();
        assertThat(waiting.get(20, TimeUnit.SECONDS).path("decided").booleanValue())
                .isTrue();
    }

    @Test
    void tellsOfSupersededQuarantinedAndDeletedRows() throws Exception {
        server.shelf.log().put(96, HEAT.replace("[\"A\"]", "[]"));
        server.shelf.deliver();
        JsonNode superseded = server.json("/v1/receipts/" + token(95)).path("indexes");
        assertThat(superseded.get(1))
                .isEqualTo(json("{'index':'by_year','status':'superseded','by':'0001000000000000096','now':'visible',"
                        + "'visibleSince':'2026-01-01T00:01:40Z','reason':'the version written was replaced by version"
                        + " 0001000000000000096, which is visible'}"));
        assertThat(superseded.get(0).path("now").textValue()).isEqualTo("not_applicable");

        server.shelf.log().garbage(97, "1");
        server.shelf.deliver();
        JsonNode poisoned = server.json("/v1/receipts/" + token(97)).at("/indexes/0");
        assertThat(poisoned.path("status").textValue()).isEqualTo("quarantined");
        assertThat(poisoned.path("reason").textValue()).contains("of.some.other.kind");
        assertThat(poisoned.path("since").textValue())
                .isEqualTo(ChangeLog.at(100).toString());
        assertThat(server.json("/v1/receipts/" + token(95)).at("/indexes/0/now").textValue())
                .isEqualTo("quarantined");

        server.shelf.log().delete(98, "1");
        server.shelf.deliver();
        String delete = SessionToken.of(
                        "films",
                        0,
                        ChangeLog.version(98),
                        new WrittenRow(server.shelf.log().key("1"), true))
                .encode();
        JsonNode gone = server.json("/v1/receipts/" + delete);
        assertThat(gone.path("operation").textValue()).isEqualTo("delete");
        assertThat(gone.at("/indexes/0/status").textValue()).isEqualTo("visible");
    }

    @Test
    void tellsOfABulkLoadByPartition() throws Exception {
        String token = new SessionToken("films", Map.of(0, ChangeLog.version(97))).encode();
        JsonNode receipt = server.json("/v1/receipts/" + token);
        assertThat(receipt.path("partitions").get(0))
                .isEqualTo(json("{'partition':0,'version':'0001000000000000097','status':'pending','changesBefore':1,"
                        + "'etaSeconds':null,'quarantined':0}"));
        assertThat(receipt.at("/indexes/0")).isEqualTo(json("{'index':'by_actor','status':'pending'}"));
        server.shelf.log().heartbeat(97);
        server.shelf.deliver();
        assertThat(server.json("/v1/receipts/" + token).at("/indexes/0/status").textValue())
                .isEqualTo("visible");
    }

    @Test
    void refusesATokenWithAReason() throws Exception {
        refused("forged", 400, "expected a token as a write answered it");
        refused(token(95).substring(1), 400, "expected a token as a write answered it");
        refused(token(95) + "?wait=31s", 400, "at most 30s");
        refused(token(95) + "?wait=soon", 400, "expected a duration");
        refused(token(95) + "?limit=1", 400, "but got limit");
        refused(SessionToken.of("songs", 0, ChangeLog.version(1)).encode(), 404, "got one of table songs");
        refused(SessionToken.of("films", 7, ChangeLog.version(1)).encode(), 400, "got one of another partition");
        refused(SessionToken.of("plays", 1, ChangeLog.version(1)).encode(), 503, "not assigned to this worker");
        server.facts.put(95, HEAT);
        refused(token(99), 404, "ever committed, as far as the writer knows");
        server.shelf.log().add(new Heartbeat(ChangeLog.at(100), new RowVersion(2, 1)));
        server.shelf.deliver();
        refused(token(99), 410, "epoch 2");
    }

    private void refused(String rest, int status, String detail) throws Exception {
        HttpResponse<byte[]> answer = server.get("/v1/receipts/" + rest);
        assertThat(answer.statusCode()).as(rest).isEqualTo(status);
        assertThat(answer.headers().firstValue("Content-Type")).contains("application/problem+json");
        assertThat(RowJson.parse(answer.body()).path("detail").textValue()).contains(detail);
        assertThat(answer.headers().firstValue("Retry-After").isPresent()).isEqualTo(status == 503);
    }

    private String token(long number) {
        WrittenRow row = new WrittenRow(server.shelf.log().key("1"), false);
        return SessionToken.of("films", 0, ChangeLog.version(number), row).encode();
    }

    private static JsonNode json(String singleQuoted) throws Exception {
        return RowJson.parse(singleQuoted.replace('\'', '"').getBytes(UTF_8));
    }
}
