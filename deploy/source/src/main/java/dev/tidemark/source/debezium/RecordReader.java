package dev.tidemark.source.debezium;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.SourceEvent;
import dev.tidemark.source.feed.SourceEvent.Place;

/** Reads records of Debezium, whose values {@link ValueConverter} has made. */
final class RecordReader {
    private static final String NEW_KEY = "__debezium.newkey";

    private RecordReader() {}

    /** An event; empty for a record that concerns neither rows nor the stream. */
    static Optional<SourceEvent> read(SourceRecord record) {
        if (!(record.value() instanceof Struct value) || value.schema().field("op") == null) {
            return Optional.empty();
        }
        Struct source = value.getStruct("source");
        Optional<Place> place = place(source);
        String table = source.getString("schema") + "." + source.getString("table");
        return Optional.of(
                switch (value.getString("op")) {
                    case "r", "c", "u" -> put(place, table, record, value);
                    case "d" ->
                        new SourceEvent.Delete(
                                place,
                                table,
                                known(record, value).row(),
                                record.headers().lastWithName(NEW_KEY) != null);
                    case "t" -> new SourceEvent.Truncate(place, table);
                    case "m" ->
                        new SourceEvent.Marker(
                                place, text(value.getStruct("message").get("content")));
                    default -> new SourceEvent.Other(place);
                });
    }

    /** Columns with values, and names of those that were not sent. */
    private record Row(ObjectNode row, List<String> unsent) {}

    private static SourceEvent put(Optional<Place> place, String table, SourceRecord record, Struct value) {
        Row after = row(value.getStruct("after"));
        Row known = known(record, value);
        // A column of the key may be too long to be sent again, but the key is sent.
        after.unsent().removeIf(column -> known.row().has(column));
        known.row().properties().forEach(one -> {
            if (!after.row().has(one.getKey()) && !after.unsent().contains(one.getKey())) {
                after.row().set(one.getKey(), one.getValue());
            }
        });
        Optional<ObjectNode> before = Optional.ofNullable(value.getStruct("before"))
                .map(RecordReader::row)
                .map(Row::row);
        return new SourceEvent.Put(
                place,
                table,
                after.row(),
                after.unsent(),
                before,
                !value.getString("op").equals("u"));
    }

    private static Row known(SourceRecord record, Struct value) {
        Struct before = value.getStruct("before");
        return before == null && record.key() instanceof Struct key ? row(key) : row(before);
    }

    private static Row row(@Nullable Struct columns) {
        Row row = new Row(RowJson.mapper().createObjectNode(), new ArrayList<>());
        if (columns == null) {
            return row;
        }
        for (Field field : columns.schema().fields()) {
            // A default of the column does not take the place of null.
            Object json = columns.getWithoutDefault(field.name());
            if (ValueConverter.UNCHANGED.equals(json)) {
                row.unsent().add(field.name());
            } else {
                row.row().set(field.name(), json == null ? row.row().nullNode() : parsed(json.toString()));
            }
        }
        return row;
    }

    private static JsonNode parsed(String json) {
        try {
            return RowJson.mapper().readTree(json);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static Optional<Place> place(Struct source) {
        String snapshot = source.schema().field("snapshot") == null ? null : source.getString("snapshot");
        if (snapshot != null && !snapshot.equals("false")) {
            return Optional.empty();
        }
        JsonNode sequence = parsed(source.getString("sequence"));
        Optional<Long> base =
                sequence.path(0).isTextual() ? Optional.of(sequence.path(0).asLong()) : Optional.empty();
        return Optional.of(new Place(base, source.getInt64("lsn")));
    }

    private static String text(Object content) {
        return content instanceof ByteBuffer buffer
                ? StandardCharsets.UTF_8.decode(buffer.duplicate()).toString()
                : new String((byte[]) content, StandardCharsets.UTF_8);
    }
}
