package dev.tidemark.source.topic;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.OffsetTime;
import java.time.ZoneOffset;
import java.util.Base64;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.value.ColumnType;
import dev.tidemark.source.value.Values;

/** Values of Kafka Connect, as its schema says what they are. Without a schema they remain what they are. */
final class ConnectValues {
    private static final long MICROS = 1_000;
    private static final long MILLIS = 1_000_000;
    private static final long SECOND = 1_000_000_000;

    /** No database has numbers of a larger one, whose zeros would fill the memory. */
    private static final int MOST_SCALE = 200_000;

    private ConnectValues() {}

    static JsonNode json(JsonNode schema, JsonNode value) {
        if (value.isNull()) {
            return value;
        }
        if (value.isArray()) {
            ArrayNode list = RowJson.mapper().createArrayNode();
            value.forEach(one -> list.add(json(schema.path("items"), one)));
            return Values.orText(list);
        }
        try {
            return switch (schema.path("name").asText()) {
                case "io.debezium.time.Date", "org.apache.kafka.connect.data.Date" ->
                    TextNode.valueOf(LocalDate.ofEpochDay(value.longValue()).toString());
                case "io.debezium.time.Time", "org.apache.kafka.connect.data.Time" -> time(value, MILLIS);
                case "io.debezium.time.MicroTime" -> time(value, MICROS);
                case "io.debezium.time.NanoTime" -> time(value, 1);
                case "io.debezium.time.Timestamp", "org.apache.kafka.connect.data.Timestamp" ->
                    timestamp(value, MILLIS);
                case "io.debezium.time.MicroTimestamp" -> timestamp(value, MICROS);
                case "io.debezium.time.NanoTimestamp" -> timestamp(value, 1);
                case "io.debezium.time.ZonedTimestamp" ->
                    TextNode.valueOf(Values.of(OffsetDateTime.parse(value.asText())));
                case "io.debezium.time.ZonedTime" -> TextNode.valueOf(Values.of(OffsetTime.parse(value.asText())));
                case "io.debezium.data.Bits" ->
                    TextNode.valueOf(
                            Values.bits(schema.path("parameters").path("length").asInt(), bytes(value)));
                case "io.debezium.data.Json" -> Values.of(ColumnType.JSON, value.asText());
                case "org.apache.kafka.connect.data.Decimal" ->
                    decimal(value, schema.path("parameters").path("scale").asInt());
                case "io.debezium.data.VariableScaleDecimal" ->
                    decimal(value.path("value"), value.path("scale").asInt());
                default -> value;
            };
        } catch (ArithmeticException | DateTimeException | IllegalArgumentException e) {
            // Such as infinity, or a scale beyond reason: it remains what it is, so that nothing is lost.
            return value;
        }
    }

    private static JsonNode time(JsonNode value, long nanos) {
        return TextNode.valueOf(Values.of(Duration.ofNanos(Math.multiplyExact(value.longValue(), nanos))));
    }

    private static JsonNode timestamp(JsonNode value, long nanos) {
        long perSecond = SECOND / nanos;
        Instant instant = Instant.ofEpochSecond(
                Math.floorDiv(value.longValue(), perSecond), Math.floorMod(value.longValue(), perSecond) * nanos);
        return TextNode.valueOf(Values.of(LocalDateTime.ofInstant(instant, ZoneOffset.UTC)));
    }

    /** Unscaled bytes in base64; a number or a text where the connector or its converter writes one. */
    private static JsonNode decimal(JsonNode value, int scale) {
        if (value.isNumber()) {
            return value;
        }
        if (Math.abs((long) scale) > MOST_SCALE) {
            throw new ArithmeticException("expected a scale of a database, but got " + scale);
        }
        return Values.number(new BigDecimal(new BigInteger(bytes(value)), scale).toPlainString());
    }

    private static byte[] bytes(JsonNode base64) {
        return Base64.getDecoder().decode(base64.asText());
    }
}
