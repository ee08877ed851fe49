package dev.tidemark.deploy.demo;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.client.ServiceCalls;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.text.Terminals;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

import static org.assertj.core.api.Assertions.assertThat;

final class DemoQueryRunnerTest {
    private static final DemoQuery RED = DemoQuery.of(
            "Which are red?",
            "things",
            "by_colour?colour=red",
            row -> row.path("colour").asText().equals("red"));

    private final Terminals.Recorded screen = Terminals.Recorded.pipe();

    @Test
    void passesWhenIndexAndScanFindTheSame() throws Exception {
        assertThat(ask(RED, "null", "1", "3").ok()).isTrue();
        assertThat(screen.out())
                .contains("$ tidemark query by_colour colour=red")
                .contains("✓ 2 entries read from the index; a scan reads 3 rows and finds the same 2");
    }

    @Test
    void failsWhenAnEntryIsMissing() throws Exception {
        assertThat(ask(RED, "null", "1").ok()).isFalse();
        assertThat(screen.out()).contains("✗ the index found [1], a scan [1, 3]");
    }

    @Test
    void failsWhenAnEntryIsThereThatNoRowHas() throws Exception {
        assertThat(ask(RED, "null", "1", "2", "3").ok()).isFalse();
    }

    @Test
    void failsWhenAnEntryIsThereTwice() throws Exception {
        assertThat(ask(RED, "null", "1", "1", "3").ok()).isFalse();
    }

    @Test
    void failsWhenMoreWouldFollow() throws Exception {
        assertThat(ask(RED, "\"more\"", "1", "3").ok()).isFalse();
    }

    @Test
    void failsWhenTheOrderIsNotTheOneExpected() throws Exception {
        assertThat(ask(RED.expecting("1", "3"), "null", "1", "3").ok()).isTrue();
        assertThat(ask(RED.expecting("1", "3"), "null", "3", "1").ok()).isFalse();
    }

    @Test
    void failsWhenNothingIsFoundAtAll() throws Exception {
        DemoQuery blue = DemoQuery.of("Blue?", "things", "by_colour", row -> false);

        assertThat(ask(blue, "null").ok()).isFalse();
    }

    private DemoCheck ask(DemoQuery question, String next, String... keys) throws Exception {
        StringBuilder entries = new StringBuilder();
        for (String key : keys) {
            entries.append(entries.isEmpty() ? "" : ",")
                    .append("{\"key\":{\"colour\":\"red\"},\"primaryKey\":")
                    .append(key)
                    .append("}");
        }
        JsonNode answer = json("{\"entries\":[" + entries + "],\"next\":" + next + "}");
        JsonNode rows = json("{\"rows\":[" + thing(1, "red") + "," + thing(2, "green") + "," + thing(3, "red") + "]}");
        return new DemoQueryRunner(
                        new WriterApi(new Answering(rows)), new WorkerApi(new Answering(answer)), screen.terminal())
                .ask(question);
    }

    private static String thing(int key, String colour) {
        return "{\"key\":" + key + ",\"version\":\"1\",\"row\":{\"colour\":\"" + colour + "\"}}";
    }

    private static JsonNode json(String text) throws BadJsonException {
        return RowJson.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    private record Answering(JsonNode answer) implements ServiceCalls {
        @Override
        public JsonNode send(String method, String path, Map<String, String> headers, String body) {
            return answer;
        }

        @Override
        public JsonNode stream(String path, Supplier<InputStream> ndjson) {
            return answer;
        }
    }
}
