package dev.tidemark.api;

import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;
import org.jspecify.annotations.Nullable;

/**
 * The answer to a query.
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
     * @param row the projected fields; null when the index holds none and none were fetched
     */
    public record Entry(JsonNode key, JsonNode primaryKey, int shard, JsonNode row) {}

    /**
     * How old the answer may be.
     *
     * @param completeUpTo RFC 3339; every change committed until then is in the answer; empty when unknown
     * @param stalenessMs milliseconds between then and now; null when unknown
     * @param state steady, catching_up, restoring, degraded, paused or unknown
     * @param quarantined rows left out because their change could not be applied
     * @param refused rows left out because the index cannot hold them
     */
    public record Freshness(
            String completeUpTo, @Nullable Long stalenessMs, String state, Quarantined quarantined, long refused) {
        public Freshness {
            quarantined = quarantined == null ? new Quarantined(0) : quarantined;
        }
    }

    /**
     * Rows left out because their change could not be applied.
     *
     * @param count how many, at most
     */
    public record Quarantined(long count) {}

    /** What an answer leaves out is not known. */
    public IndexAnswer {
        freshness = freshness == null ? new Freshness("", null, "unknown", new Quarantined(0), 0) : freshness;
    }
}
