package dev.tidemark.deploy.demo;

import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import org.junit.jupiter.api.Test;

import dev.tidemark.deploy.client.BulkResult;
import dev.tidemark.deploy.client.FetchedRow;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
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
        return new DemoQueryRunner(new Things(), new Answering(answer), screen.terminal()).ask(question);
    }

    private static JsonNode json(String text) throws BadJsonException {
        return RowJson.parse(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Three things, of which the first and the last are red. */
    private static final class Things implements WriterApi {
        @Override
        public BulkResult load(String table, Supplier<InputStream> ndjson) {
            return new BulkResult(0, List.of(), "");
        }

        @Override
        public List<FetchedRow> scan(String table) throws ServiceException {
            try {
                return List.of(thing(1, "red"), thing(2, "green"), thing(3, "red"));
            } catch (BadJsonException e) {
                throw new ServiceException(e.getMessage());
            }
        }

        private static FetchedRow thing(int key, String colour) throws BadJsonException {
            return new FetchedRow(json(Integer.toString(key)), "1", json("{\"colour\":\"" + colour + "\"}"));
        }
    }

    private record Answering(JsonNode answer) implements WorkerApi {
        @Override
        public JsonNode query(QueryRequest query) {
            return answer;
        }

        @Override
        public JsonNode lag() {
            return answer;
        }

        @Override
        public JsonNode explain(String index, List<String> key) {
            return answer;
        }

        @Override
        public JsonNode receipt(String token, String wait) {
            return answer;
        }

        @Override
        public JsonNode pause(String table) {
            return answer;
        }

        @Override
        public JsonNode resume(String table) {
            return answer;
        }

        @Override
        public JsonNode verify(String table, Optional<String> index, boolean full, boolean repair) {
            return answer;
        }

        @Override
        public JsonNode verification(String id) {
            return answer;
        }

        @Override
        public JsonNode advice() {
            return answer;
        }

        @Override
        public JsonNode plan(String catalog, double percent) {
            return answer;
        }

        @Override
        public JsonNode plan(String id) {
            return answer;
        }
    }
}
