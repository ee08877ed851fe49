package dev.tidemark.writer.http;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;

/** Keys that this service made itself, as JSON. */
final class Keys {
    private Keys() {}

    static JsonNode toJson(TableDefinition table, KeyBytes key) {
        try {
            return table.keyToJson(key);
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key of table " + table.name() + ", but got " + key, e);
        }
    }
}
