package dev.tidemark.deploy.client;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * An answer of the index worker.
 *
 * @param index its name
 * @param entries in index order
 * @param next opaque cursor; empty when nothing follows
 * @param freshness how old the answer may be
 */
public record IndexAnswer(String index, List<Entry> entries, String next, Freshness freshness) {

    /**
     * One entry.
     *
     * @param key the indexed fields and their values
     * @param primaryKey of the row: the value, or a list of values
     * @param shard hash shard of the row
     * @param row the projected fields; missing when the index holds none and none were fetched
     */
    public record Entry(JsonNode key, JsonNode primaryKey, int shard, JsonNode row) {}

    /**
     * How old the answer may be.
     *
     * @param completeUpTo RFC 3339; every change committed until then is in the answer; empty when unknown
     * @param stalenessMs milliseconds between then and now; -1 when unknown
     * @param state steady, catching_up, restoring, degraded, paused or unknown
     */
    public record Freshness(String completeUpTo, long stalenessMs, String state) {
        static Freshness fromJson(JsonNode json) {
            return new Freshness(
                    json.path("completeUpTo").asText(""),
                    json.path("stalenessMs").asLong(-1),
                    json.path("state").asText("unknown"));
        }
    }

    public IndexAnswer {
        entries = List.copyOf(entries);
    }

    public static IndexAnswer fromJson(JsonNode json) {
        List<Entry> entries = new ArrayList<>();
        for (JsonNode entry : json.path("entries")) {
            entries.add(new Entry(
                    entry.path("key"),
                    entry.path("primaryKey"),
                    entry.path("shard").asInt(),
                    entry.path("row")));
        }
        return new IndexAnswer(
                json.path("index").asText(),
                entries,
                json.path("next").asText(""),
                Freshness.fromJson(json.path("freshness")));
    }
}
