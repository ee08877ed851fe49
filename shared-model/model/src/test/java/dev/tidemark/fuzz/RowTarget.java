package dev.tidemark.fuzz;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.KeyWriter;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.FieldValue;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.SpelledValue;
import dev.tidemark.row.UnindexableValueException;

/** A row as JSON, with the keys that its values become, and the value that the same text spells in a URL. */
public final class RowTarget implements FuzzTarget {

    @Override
    public void take(byte[] input) throws BadJsonException, MalformedKeyException, UnindexableValueException {
        JsonNode spelled = spelled(new String(input, StandardCharsets.UTF_8));
        if (spelled != null && isValue(spelled)) {
            // Not the nodes here either.
            JsonNode again = SpelledValue.parse(SpelledValue.write(spelled));
            FuzzTarget.require(
                    FieldValue.of(again).equals(FieldValue.of(spelled)), "a value that can be spelled: " + spelled);
        }
        ObjectNode row = parsed(input);
        if (row == null) {
            return;
        }
        byte[] written = RowJson.write(row);
        FuzzTarget.require(
                Arrays.equals(RowJson.write(RowJson.parseObject(written)), written), "one spelling of " + row);
        readInParts(RowDocument.parse(input));
        for (Map.Entry<String, JsonNode> field : row.properties()) {
            asKey(field.getValue());
        }
    }

    private static @Nullable JsonNode spelled(String text) {
        try {
            return SpelledValue.parse(text);
        } catch (BadJsonException e) {
            return null;
        }
    }

    private static boolean isValue(JsonNode spelled) {
        try {
            FieldValue.of(spelled);
            return true;
        } catch (UnindexableValueException e) {
            return false;
        }
    }

    private static @Nullable ObjectNode parsed(byte[] input) {
        try {
            return RowJson.parseObject(input);
        } catch (BadJsonException e) {
            return null;
        }
    }

    private static void readInParts(RowDocument row) {
        RowFields fields = new RowFields(List.of("a", "id"));
        for (String name : List.of("a", "id")) {
            // Not the nodes: 1e0 is a decimal when it comes, and an integer once it has been stored as 1.
            byte[] alone = RowJson.write(fields.of(row.bytes()).fields().path(name));
            FuzzTarget.require(Arrays.equals(alone, RowJson.write(row.tree().path(name))), "the same " + name);
        }
    }

    private static void asKey(JsonNode node) throws MalformedKeyException {
        Optional<FieldValue> value;
        try {
            value = FieldValue.of(node);
        } catch (UnindexableValueException e) {
            return;
        }
        if (value.isEmpty()) {
            return;
        }
        for (Order order : Order.values()) {
            KeyBytes key = new KeyWriter().append(value.get(), order).toKey();
            FuzzTarget.require(new KeyReader(key).next(order).equals(value.get()), "the value " + node + " back");
        }
    }
}
