package dev.tidemark.deploy.e2e.http;

import java.io.IOException;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.e2e.meters.MetricsPage;

/** The index worker. An index is named {@code table.index} here, which is always right. */
public final class Indexes {
    private static final int PAGE = 1_000;

    private final Caller http;

    public Indexes(URI url) {
        this.http = new Caller(url);
    }

    public Caller http() {
        return http;
    }

    /** A query; the parameters in pairs, not yet encoded. */
    public Answer query(String index, String... parameters) throws IOException, InterruptedException {
        StringBuilder path = new StringBuilder("/v1/indexes/" + index + "/entries");
        for (int i = 0; i < parameters.length; i += 2) {
            path.append(i == 0 ? '?' : '&').append(parameters[i]).append('=').append(Caller.encode(parameters[i + 1]));
        }
        return http.get(path.toString());
    }

    /** Every entry, page by page, in the order in which the index answers them. */
    public List<JsonNode> entries(String index) throws IOException, InterruptedException {
        List<JsonNode> entries = new ArrayList<>();
        Optional<String> cursor = Optional.empty();
        do {
            JsonNode page = cursor.isEmpty()
                    ? page(index, "limit", Integer.toString(PAGE))
                    : page(index, "limit", Integer.toString(PAGE), "cursor", cursor.get());
            page.path("entries").forEach(entries::add);
            cursor = page.path("next").isTextual()
                    ? Optional.of(page.path("next").asText())
                    : Optional.empty();
        } while (cursor.isPresent());
        return entries;
    }

    /** How complete an answer says that it is; empty while it cannot tell. */
    public Optional<Instant> completeUpTo(String index) throws IOException, InterruptedException {
        JsonNode time = page(index, "limit", "1").path("freshness").path("completeUpTo");
        return time.isTextual() ? Optional.of(Instant.parse(time.asText())) : Optional.empty();
    }

    /** What {@code GET /v1/indexes} says of one index. */
    public JsonNode describe(String table, String index) throws IOException, InterruptedException {
        for (JsonNode one : http.get("/v1/indexes").requireOk().json().path("indexes")) {
            if (one.path("table").asText().equals(table)
                    && List.of(index, table + "." + index)
                            .contains(one.path("index").asText())) {
                return one;
            }
        }
        throw new AssertionError("expected " + table + "." + index + " in /v1/indexes");
    }

    public MetricsPage metrics() throws IOException, InterruptedException {
        return MetricsPage.parse(http.get("/metrics").requireOk().body());
    }

    private JsonNode page(String index, String... parameters) throws IOException, InterruptedException {
        return query(index, parameters).requireOk().json();
    }
}
