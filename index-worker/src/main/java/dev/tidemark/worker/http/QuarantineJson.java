package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.lifecycle.LiveShard;
import dev.tidemark.worker.lifecycle.Shards;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.ShardClosedException;

/** Quarantined records as JSON. */
public final class QuarantineJson {
    private final Shards shards;

    public QuarantineJson(Shards shards) {
        this.shards = shards;
    }

    /**
     * The answer of {@code GET /v1/quarantine}.
     *
     * @param limit most records to show; the count tells how many there are
     */
    ObjectNode list(int limit) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        long count = 0;
        ArrayNode records = json.putArray("records");
        for (LiveShard shard : shards.assigned()) {
            Optional<LiveShard.Reading> reading = read(shard);
            if (reading.isPresent()) {
                LiveShard.Reading open = reading.get();
                count += open.status().checkpoint().quarantined();
                try (var view = open.view()) {
                    add(records, shard, view.quarantine(limit - records.size()));
                }
            }
        }
        json.put("count", count);
        return json;
    }

    private static Optional<LiveShard.Reading> read(LiveShard shard) {
        try {
            return shard.read();
        } catch (ShardClosedException e) {
            return Optional.empty();
        }
    }

    private static void add(ArrayNode records, LiveShard shard, List<QuarantinedRecord> quarantined) {
        for (QuarantinedRecord record : quarantined) {
            ObjectNode one = records.addObject();
            one.put("table", shard.id().table());
            one.put("partition", shard.id().partition());
            one.put("offset", record.offset());
            one.set("key", key(shard.table(), record.record().key()));
            one.put("reason", record.reason());
            one.put("at", record.at().toString());
            KeyBytes value = record.record().value();
            one.put("value", value == null ? null : new String(value.array(), StandardCharsets.UTF_8));
            ObjectNode headers = one.putObject("headers");
            record.record().headers().forEach(headers::put);
        }
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
