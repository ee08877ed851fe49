package dev.tidemark.deploy.e2e.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.e2e.meters.MetricsPage;
import dev.tidemark.deploy.oracle.Fact;

/** The writer service. */
public final class Facts {
    private static final int PAGE = 1_000;
    private static final Map<String, String> JSON = Map.of("Content-Type", "application/json");
    private static final Map<String, String> PATCH = Map.of("Content-Type", "application/merge-patch+json");
    private static final Map<String, String> NDJSON = Map.of("Content-Type", "application/x-ndjson");

    private final Caller http;

    public Facts(URI url) {
        this.http = new Caller(url);
    }

    public Caller http() {
        return http;
    }

    public static String rowsOf(String table) {
        return "/v1/tables/" + table + "/rows";
    }

    public static String pathOf(String table, String key) {
        return rowsOf(table) + "/" + Caller.encode(key);
    }

    public Answer put(String table, String key, JsonNode row) throws IOException, InterruptedException {
        return http.send("PUT", pathOf(table, key), row.toString(), JSON);
    }

    public Answer patch(String table, String key, JsonNode patch) throws IOException, InterruptedException {
        return http.send("PATCH", pathOf(table, key), patch.toString(), PATCH);
    }

    public Answer delete(String table, String key) throws IOException, InterruptedException {
        return http.send("DELETE", pathOf(table, key), "", Map.of());
    }

    public Answer get(String table, String key) throws IOException, InterruptedException {
        return http.get(pathOf(table, key));
    }

    /** One bulk request, streamed. */
    public Answer load(String table, Supplier<InputStream> ndjson) throws IOException, InterruptedException {
        return http.upload("POST", rowsOf(table), ndjson, NDJSON);
    }

    /** One bulk request; {@code options} is empty or {@code ?atomic=true}. */
    public Answer load(String table, List<? extends JsonNode> lines, String options)
            throws IOException, InterruptedException {
        byte[] body = lines.stream()
                .map(line -> line + "\n")
                .collect(Collectors.joining())
                .getBytes(StandardCharsets.UTF_8);
        return http.upload("POST", rowsOf(table) + options, () -> new ByteArrayInputStream(body), NDJSON);
    }

    /** All rows, page by page. Meaningful as a whole only while nobody writes. */
    public List<Fact> scan(String table) throws IOException, InterruptedException {
        List<Fact> facts = new ArrayList<>();
        String cursor = "";
        do {
            JsonNode page = http.get(rowsOf(table) + "?limit=" + PAGE + cursor)
                    .requireOk()
                    .json();
            for (JsonNode row : page.path("rows")) {
                facts.add(new Fact(row.path("key"), row.path("version").asText(), row.path("row")));
            }
            cursor = page.path("next").isTextual()
                    ? "&cursor=" + Caller.encode(page.path("next").asText())
                    : "";
        } while (!cursor.isEmpty());
        return facts;
    }

    public MetricsPage metrics() throws IOException, InterruptedException {
        return MetricsPage.parse(http.get("/metrics").requireOk().body());
    }
}
