package dev.tidemark.source.debezium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.time.temporal.ChronoUnit;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.debezium.data.Bits;
import io.debezium.data.Enum;
import io.debezium.data.Json;
import io.debezium.time.MicroTime;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.value.ColumnType;
import dev.tidemark.source.value.Values;

/** Values of records as JSON, by the schema that Debezium gives them. */
final class SchemaValues {
    /** Name of a schema whose values are texts of JSON. */
    static final String JSON = "dev.tidemark.json";

    private SchemaValues() {}

    /** Whether the value did not change and was not sent. */
    static boolean isUnsent(Schema schema, @Nullable Object value) {
        return JSON.equals(schema.name()) && ValueConverter.UNCHANGED.equals(value);
    }

    static JsonNode of(Schema schema, @Nullable Object value) {
        if (value == null) {
            return NullNode.instance;
        }
        return switch (schema.name() == null ? "" : schema.name()) {
            case JSON -> parsed(value.toString());
            case Json.LOGICAL_NAME -> Values.of(ColumnType.JSON, value.toString());
            // Of MariaDB: the connector escapes commas in a value of the stream, but not in one of a snapshot.
            case Enum.LOGICAL_NAME -> TextNode.valueOf(value.toString().replace("\\,", ","));
            case MicroTime.SCHEMA_NAME -> TextNode.valueOf(Values.of(Duration.of((Long) value, ChronoUnit.MICROS)));
            case Bits.LOGICAL_NAME ->
                TextNode.valueOf(
                        Values.bits(Integer.parseInt(schema.parameters().get(Bits.LENGTH_FIELD)), bytes(value)));
            default -> plain(value);
        };
    }

    /** A value whose type alone says what it is. */
    static JsonNode plain(Object value) {
        if (value instanceof Boolean flag) {
            return BooleanNode.valueOf(flag);
        }
        if (value instanceof Number) {
            return Values.number(value instanceof BigDecimal decimal ? decimal.toPlainString() : value.toString());
        }
        // Of a geometry, the well-known binary form.
        Object shape = value instanceof Struct geometry ? geometry.getBytes("wkb") : value;
        return shape instanceof String text ? TextNode.valueOf(text) : Values.bytes(bytes(shape));
    }

    static byte[] bytes(Object value) {
        if (value instanceof ByteBuffer buffer) {
            byte[] bytes = new byte[buffer.remaining()];
            buffer.duplicate().get(bytes);
            return bytes;
        }
        return (byte[]) value;
    }

    private static JsonNode parsed(String json) {
        try {
            return RowJson.mapper().readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
