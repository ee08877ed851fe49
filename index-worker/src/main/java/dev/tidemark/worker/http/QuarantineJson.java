package dev.tidemark.worker.http;

import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * The quarantined records of this worker's shards as JSON.
 *
 * @param pages memory of answers
 */
public record QuarantineJson(Shards shards, MemoryBudget.Part pages) {
    static final int MOST_RECORDS = 10_000;

    /** How many records each shard has that is open here. */
    SortedMap<ShardId, Long> counts() {
        SortedMap<ShardId, Long> counts = new TreeMap<>();
        for (OpenShard shard : shards.assigned()) {
            shard.readIfOpen().ifPresent(reading -> {
                reading.view().close();
                counts.put(shard.id(), reading.status().checkpoint().quarantined());
            });
        }
        return counts;
    }

    /** The answer of {@code GET /v1/peer/quarantine}. */
    ObjectNode countsJson() {
        ObjectNode json = object();
        ArrayNode list = json.putArray("shards");
        counts().forEach((shard, count) -> list.addObject()
                .put("table", shard.table())
                .put("partition", shard.partition())
                .put("count", count));
        return json;
    }

    /**
     * Writes the answer of {@code GET /v1/peer/quarantine/records}.
     *
     * @param answer receives the answer, whose memory is released once it returns
     * @throws ProblemException 421 when the shard is not open here, 503 when there is no memory left to read a record
     */
    void list(ShardId shard, int limit, Optional<Cursor> after, Consumer<ObjectNode> answer) {
        try (QuarantinePage page = new QuarantinePage(pages, limit)) {
            if (!add(page, shard, after)) {
                throw new ProblemException(Refusals.notHeld("this worker does not hold shard " + shard));
            }
            answer.accept(page.json());
        }
    }

    /** Adds what is after a record of a shard, as much as there is room for; false where the shard is not open here. */
    boolean add(QuarantinePage page, ShardId id, Optional<Cursor> after) {
        Optional<OpenShard> shard = shards.find(id);
        Optional<OpenShard.ShardSnapshot> reading = shard.flatMap(OpenShard::readIfOpen);
        if (reading.isEmpty()) {
            return false;
        }
        try (ShardView view = reading.get().view()) {
            long listed = after.map(cursor -> cursor.listed(view)).orElse(0L);
            long[] walked = new long[1];
            view.quarantine(record -> ++walked[0] <= listed || page.add(shard.get(), record));
        }
        return true;
    }

    /** The primary key, or the bytes in hexadecimal where they are none. */
    static JsonNode key(TableDefinition table, KeyBytes key) {
        try {
            return table.keyToJson(key);
        } catch (MalformedKeyException e) {
            return TextNode.valueOf("0x" + key);
        }
    }

    /**
     * The last record of a page. It is named by its offset and not by its key, for not everybody who may list records
     * may read keys.
     */
    record Cursor(ShardId shard, long offset) {
        private static final Pattern TEXT = Pattern.compile("(.{1,255})-(\\d{1,9})-(\\d{1,18})");

        /** As {@link #text} gave it. */
        static Cursor parse(String text) {
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                throw new ProblemException(
                        Problem.badRequest("expected a cursor that an answer gave as next, but got " + text));
            }
            ShardId shard = new ShardId(parts.group(1), Integer.parseInt(parts.group(2)));
            return new Cursor(shard, Long.parseLong(parts.group(3)));
        }

        String text() {
            return shard + "-" + offset;
        }

        /**
         * How many records of the shard were listed. None where the record is no longer there, so that others are
         * listed twice rather than never.
         */
        long listed(ShardView view) {
            long[] walked = new long[1];
            boolean[] found = new boolean[1];
            view.quarantine(record -> {
                walked[0]++;
                found[0] = record.offset() == offset;
                return !found[0];
            });
            return found[0] ? walked[0] : 0;
        }
    }
}
