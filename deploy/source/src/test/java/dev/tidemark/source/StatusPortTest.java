package dev.tidemark.source;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.ResourceLock;

import dev.tidemark.deploy.client.ServiceException;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

/** The port by which a source is watched. */
@Tag("slow")
@ResourceLock("postgresql")
class StatusPortTest extends SourceTestCase {
    private static final Pattern READY = Pattern.compile("ready on http://127\\.0\\.0\\.1:(\\d+)");
    private static final String OF = "{source=\"shop\"} ";
    private final HttpClient client = HttpClient.newHttpClient();

    @Test
    void metricsAndHealthSayWhatTheSourceDoes() throws Exception {
        items("INSERT INTO items VALUES (1, 'a'), (2, 'b')");
        follow();
        followed();
        sql("DELETE FROM items WHERE id = 2");
        followed();
        assertThat(get("/health/live").statusCode()).isEqualTo(200);
        assertThat(get("/health/ready").statusCode()).isEqualTo(200);
        assertThat(get("/v1/status").body())
                .contains("nothing is at GET /v1/status; expected one of /health/live, /health/ready, /metrics");
        assertThat(get("/metrics").body())
                .contains("tidemark_source_changes_total" + OF + "3.0")
                .contains("tidemark_source_reconnects_total" + OF + "0.0")
                .contains("tidemark_source_state{source=\"shop\",state=\"following\"} 1.0")
                .doesNotContain("tidemark_source_sent_watermark_age_seconds" + OF + "NaN")
                .doesNotContain("tidemark_source_position_timestamp_seconds" + OF + "NaN");
        sql("SELECT pg_terminate_backend(active_pid) FROM pg_replication_slots WHERE active");
        await().atMost(Duration.ofSeconds(20))
                .until(() -> get("/metrics").body().contains("tidemark_source_reconnects_total" + OF + "1.0"));
    }

    @Test
    void aSourceThatCannotFollowIsNotReady() throws Exception {
        follow();
        await().atMost(Duration.ofSeconds(20)).until(() -> said().contains("no table"));
        HttpResponse<String> ready = get("/health/ready");
        assertThat(ready.statusCode()).isEqualTo(503);
        assertThat(ready.body()).contains("no table of the writer's catalog follows the source shop");
        assertThat(get("/metrics").body()).contains("state=\"waiting\"} 1.0");
        assertThatThrownBy(() -> SourceMain.follow(settings("http.port=" + port()), terminal(), false))
                .isInstanceOf(ServiceException.class)
                .hasMessageContaining("is in use");
    }

    private int port() {
        Matcher ready = READY.matcher(said());
        assertThat(ready.find()).isTrue();
        return Integer.parseInt(ready.group(1));
    }

    private HttpResponse<String> get(String path) throws Exception {
        return client.send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port() + path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
