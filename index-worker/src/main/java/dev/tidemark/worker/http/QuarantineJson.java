package dev.tidemark.worker.http;

import java.util.Optional;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.ShardView;

/**
 * Quarantined records as JSON.
 *
 * @param pages memory of answers
 */
public record QuarantineJson(Shards shards, MemoryBudget.Part pages) {
    /**
     * Writes the answer of {@code GET /v1/quarantine}.
     *
     * @param limit maximum number of records to show; the count in the answer covers all records
     * @param after the record after which the page begins; empty for the first page
     * @param answer receives the answer, whose memory is released once it returns
     */
    void list(int limit, Optional<QuarantineCursor> after, Consumer<ObjectNode> answer) {
        try (QuarantinePage page = QuarantinePage.open(pages, limit)) {
            long count = 0;
            for (OpenShard shard : shards.assigned()) {
                Optional<OpenShard.ShardSnapshot> reading = shard.readIfOpen();
                if (reading.isPresent()) {
                    count += reading.get().status().checkpoint().quarantined();
                    try (var view = reading.get().view()) {
                        add(page, shard, view, after);
                    }
                }
            }
            answer.accept(page.json(count));
        }
    }

    private static void add(QuarantinePage page, OpenShard shard, ShardView view, Optional<QuarantineCursor> after) {
        int order = after.map(cursor -> shard.id().compareTo(cursor.shard())).orElse(1);
        if (order < 0 || page.isFull()) {
            return;
        }
        long listed = order == 0 ? after.orElseThrow().listed(view) : 0;
        long[] walked = new long[1];
        view.quarantine(record -> ++walked[0] <= listed || page.add(shard, record));
    }

    /** The primary key, or the bytes in hexadecimal where they are none. */
    static JsonNode key(TableDefinition table, KeyBytes key) {
        try {
            return table.keyToJson(key);
        } catch (MalformedKeyException e) {
            return TextNode.valueOf("0x" + key);
        }
    }
}
