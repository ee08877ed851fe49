package dev.tidemark.source.debezium;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.jspecify.annotations.Nullable;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.Columns;
import dev.tidemark.source.feed.SourceEvent;
import dev.tidemark.source.feed.SourceEvent.Place;

/** Reads records of Debezium. */
final class RecordReader {
    private static final String NEW_KEY = "__debezium.newkey";

    private final Dialect dialect;
    private final Map<String, Set<String>> generated;

    /** A snapshot has columns that the stream leaves out; rows of both are without them. */
    RecordReader(Dialect dialect, Columns columns) {
        this.dialect = dialect;
        this.generated = columns.generated();
    }

    /** What to go on with, in order. */
    List<SourceEvent> read(SourceRecord record) {
        return record.value() instanceof Struct value ? dialect.settled(value, event(record, value)) : List.of();
    }

    /** An event; empty for a record that concerns neither rows nor the stream. */
    private Optional<SourceEvent> event(SourceRecord record, Struct value) {
        if (value.schema().field("source") == null) {
            return Optional.empty();
        }
        Struct source = value.getStruct("source");
        Optional<Place> place = isSnapshot(source) ? Optional.empty() : Optional.of(dialect.place(record, source));
        Optional<SourceEvent> special = dialect.special(value, place);
        if (special.isPresent() || value.schema().field("op") == null) {
            return special;
        }
        String table = dialect.table(source);
        Set<String> omitted = generated.getOrDefault(table, Set.of());
        return Optional.of(
                switch (value.getString("op")) {
                    case "r", "c", "u" -> put(place, table, record, value, omitted);
                    case "d" ->
                        new SourceEvent.Delete(
                                place,
                                table,
                                known(record, value, omitted).row(),
                                record.headers().lastWithName(NEW_KEY) != null);
                    case "t" -> new SourceEvent.Truncate(place, table);
                    default -> new SourceEvent.Other(place);
                });
    }

    private static boolean isSnapshot(Struct source) {
        String snapshot = source.schema().field("snapshot") == null ? null : source.getString("snapshot");
        return snapshot != null && !snapshot.equals("false");
    }

    /** Columns with values, and names of those that were not sent. */
    private record Row(ObjectNode row, List<String> unsent) {}

    private static SourceEvent put(
            Optional<Place> place, String table, SourceRecord record, Struct value, Set<String> omitted) {
        Row after = row(value.getStruct("after"), omitted);
        Row known = known(record, value, omitted);
        // A column of the key may be too long to be sent again, but the key is sent. The key may come as a former row,
        // whose other columns are null because they were not sent.
        after.unsent().removeIf(column -> known.row().hasNonNull(column));
        known.row().properties().forEach(one -> {
            if (!after.row().has(one.getKey()) && !after.unsent().contains(one.getKey())) {
                after.row().set(one.getKey(), one.getValue());
            }
        });
        Optional<ObjectNode> before = Optional.ofNullable(value.getStruct("before"))
                .map(columns -> row(columns, omitted))
                .map(Row::row);
        return new SourceEvent.Put(place, table, after.row(), after.unsent(), before);
    }

    private static Row known(SourceRecord record, Struct value, Set<String> omitted) {
        Struct before = value.getStruct("before");
        return row(before == null && record.key() instanceof Struct key ? key : before, omitted);
    }

    private static Row row(@Nullable Struct columns, Set<String> omitted) {
        Row row = new Row(RowJson.mapper().createObjectNode(), new ArrayList<>());
        if (columns == null) {
            return row;
        }
        for (Field field : columns.schema().fields()) {
            if (omitted.contains(field.name())) {
                continue;
            }
            // A default of the column does not take the place of null.
            Object value = columns.getWithoutDefault(field.name());
            if (SchemaValues.isUnsent(field.schema(), value)) {
                row.unsent().add(field.name());
            } else {
                row.row().set(field.name(), SchemaValues.of(field.schema(), value));
            }
        }
        return row;
    }
}
