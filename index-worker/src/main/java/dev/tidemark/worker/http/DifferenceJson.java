package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.verify.Difference;

import static dev.tidemark.worker.http.JsonValues.text;

/**
 * Writes differences as JSON. A value that cannot be decoded, which may be the difference itself, is written in
 * hexadecimal.
 */
final class DifferenceJson {
    private DifferenceJson() {}

    /**
     * A difference.
     *
     * @param table whose row it is; null when it is gone
     */
    static ObjectNode of(Difference difference, Generation generation, @Nullable TableDefinition table) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("kind", difference.kind().label());
        json.set(
                "primaryKey",
                table == null
                        ? TextNode.valueOf("0x" + difference.primaryKey())
                        : QuarantineJson.key(table, difference.primaryKey()));
        json.put("shard", difference.partition());
        json.set("key", key(difference.entry(), generation));
        json.set("found", carried(difference.found()));
        json.set("expected", carried(difference.expected()));
        json.put("version", text(difference.version()));
        json.put("factVersion", text(difference.factVersion()));
        return json;
    }

    private static JsonNode key(KeyBytes entry, Generation generation) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        try {
            KeyReader reader = new KeyReader(entry);
            for (KeyPart part : generation.definition().key()) {
                json.set(part.field().toString(), reader.next(part.order()).toJson());
            }
            return json;
        } catch (MalformedKeyException e) {
            return TextNode.valueOf("0x" + entry);
        }
    }

    /** Null for no entry, an empty object for one that carries nothing. */
    private static JsonNode carried(Optional<KeyBytes> carried) {
        if (carried.isEmpty()) {
            return NullNode.getInstance();
        }
        byte[] bytes = carried.get().array();
        if (bytes.length == 0) {
            return RowJson.mapper().createObjectNode();
        }
        try {
            return RowJson.parseObject(bytes);
        } catch (BadJsonException e) {
            return TextNode.valueOf(new String(bytes, StandardCharsets.UTF_8));
        }
    }
}
