package dev.tidemark.source.topic;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.SourceEvent;

/**
 * Reads change events of Debezium as JSON, with schema and without.
 *
 * @param source its name, which rows have that are markers
 * @param prefix of logical messages that are markers
 * @param markers table whose rows are markers: each has the name of its source, and a content
 */
public record Envelope(String source, String prefix, String markers) {
    /**
     * What a record says.
     *
     * @param snapshot position of the database that the snapshot is of to which the event belongs; empty for one of the
     *     stream, or of an incremental snapshot, which follows the stream
     */
    record Event(SourceEvent what, Optional<String> snapshot, Key key) {}

    /**
     * The key of a record.
     *
     * @param form what is the same for all keys of a table: a digest of the name of the schema, or of names of columns.
     *     It is short, as a position has all of them
     * @param columns none where the record has no key
     */
    record Key(String form, ObjectNode columns) {
        /** Names of its columns. */
        Set<String> names() {
            return columns.properties().stream().map(Map.Entry::getKey).collect(Collectors.toCollection(TreeSet::new));
        }
    }

    /** A document of Kafka Connect: its value, and the schema of that; missing where it comes without. */
    private record Document(JsonNode schema, JsonNode value) {
        static Document of(String json) throws IOException {
            JsonNode root = RowJson.mapper().readTree(json);
            return root.has("schema") && root.has("payload") && root.size() == 2
                    ? new Document(root.path("schema"), root.path("payload"))
                    : new Document(MissingNode.getInstance(), root);
        }

        /** The member of that name. */
        Document member(String name) {
            for (JsonNode field : schema.path("fields")) {
                if (field.path("field").asText().equals(name)) {
                    return new Document(field, value.path(name));
                }
            }
            return new Document(MissingNode.getInstance(), value.path(name));
        }

        /** The columns, but for those whose value was not sent, whose names are added to the list. */
        ObjectNode columns(List<String> unsent) {
            ObjectNode row = RowJson.mapper().createObjectNode();
            value.properties().forEach(column -> {
                if (Placeholder.is(column.getValue())) {
                    unsent.add(column.getKey());
                } else {
                    Document one = member(column.getKey());
                    row.set(column.getKey(), ConnectValues.json(one.schema(), one.value()));
                }
            });
            return row;
        }
    }

    /**
     * Reads a record.
     *
     * @return empty for one that concerns no row: a tombstone, a heartbeat
     * @throws Topics.TopicsException when it is none of Debezium's
     */
    Optional<Event> read(Topics.Message message) throws Topics.TopicsException {
        if (message.value().isEmpty()) {
            return Optional.empty();
        }
        try {
            Document document = Document.of(message.value().get());
            JsonNode value = document.value();
            if (value.has("op")) {
                Key key = key(message);
                return read(document, message, key.columns())
                        .map(event -> new Event(event, snapshot(value.path("source")), key));
            }
            boolean heartbeat = value.has("ts_ms") && value.size() == 1;
            if (heartbeat || value.has("event_count") || value.has("databaseName")) {
                return Optional.empty();
            }
            throw strange(message, "it has no member op, which ExtractNewRecordState takes away");
        } catch (IOException | NumberFormatException e) {
            throw strange(message, "its value is no JSON");
        }
    }

    /**
     * Reads the key of a record.
     *
     * @throws Topics.TopicsException when it is none of Debezium's
     */
    Key key(Topics.Message message) throws Topics.TopicsException {
        try {
            Document document = Document.of(message.key().orElse("{}"));
            ObjectNode columns = document.columns(new ArrayList<>());
            String names = String.join(",", new Key("", columns).names());
            return new Key(TopicTables.digest(document.schema().path("name").asText(names)), columns);
        } catch (IOException | NumberFormatException e) {
            throw strange(message, "its key is no JSON");
        }
    }

    private Optional<SourceEvent> read(Document document, Topics.Message message, ObjectNode known)
            throws Topics.TopicsException {
        JsonNode value = document.value();
        Document after = document.member("after");
        if (after.value().isTextual()) {
            throw strange(message, "its row is a text; MongoDB is not read");
        }
        String table = table(value.path("source"));
        Document before = document.member("before");
        return switch (value.path("op").asText()) {
            case "r", "c", "u" -> {
                if (!table.equals(markers)) {
                    yield Optional.of(put(table, after, known, before));
                }
                // A snapshot may read this row before rows of other tables, so it proves nothing of them.
                yield snapshot(value.path("source")).isPresent()
                        ? Optional.of(new SourceEvent.Other(Optional.empty()))
                        : marker(
                                source,
                                after.value().path("source"),
                                after.value().path("content"));
            }
            case "d" -> Optional.of(new SourceEvent.Delete(Optional.empty(), table, former(before, known), false));
            case "t" -> Optional.of(new SourceEvent.Truncate(Optional.empty(), table));
            case "m" -> {
                JsonNode content = value.path("message").path("content");
                byte[] text = Base64.getDecoder().decode(content.asText());
                yield marker(
                        prefix,
                        value.path("message").path("prefix"),
                        TextNode.valueOf(new String(text, StandardCharsets.UTF_8)));
            }
            default -> throw strange(message, "its op is not known");
        };
    }

    private static Optional<String> snapshot(JsonNode source) {
        String kind = source.path("snapshot").asText("false");
        return kind.equals("false") || kind.equals("incremental")
                ? Optional.empty()
                : Optional.of(Stream.of("lsn", "commit_lsn", "scn", "file", "pos")
                        .map(name -> source.path(name).asText(""))
                        .collect(Collectors.joining(" "))
                        .strip());
    }

    /** The name of a table as the catalog has it, with its schema, or with its database where there are no schemas. */
    private static String table(JsonNode source) {
        String schema = source.path("schema").isTextual() ? "schema" : "db";
        return source.path(schema).asText() + "." + source.path("table").asText();
    }

    private static SourceEvent put(String table, Document after, ObjectNode known, Document before) {
        List<String> unsent = new ArrayList<>();
        ObjectNode row = after.columns(unsent);
        unsent.removeIf(column -> {
            boolean there = known.has(column);
            if (there) {
                row.set(column, known.get(column));
            }
            return there;
        });
        return new SourceEvent.Put(
                Optional.empty(),
                table,
                row,
                unsent,
                before.value().isObject() ? Optional.of(former(before, known)) : Optional.empty());
    }

    /** What is known of the row before: columns that came along are null where they were not sent, but for the key. */
    private static ObjectNode former(Document before, ObjectNode known) {
        return before.columns(new ArrayList<>()).setAll(known);
    }

    /** A marker; empty for one of another source. */
    private static Optional<SourceEvent> marker(String wanted, JsonNode name, JsonNode content) {
        return name.asText().equals(wanted)
                ? Optional.of(new SourceEvent.Marker(Optional.empty(), content.asText()))
                : Optional.empty();
    }

    private static Topics.TopicsException strange(Topics.Message message, String why) {
        return new Topics.TopicsException("the record " + message.offset() + " of "
                + message.place().topic() + "-" + message.place().number()
                + " is no change event of Debezium as JSON: " + why);
    }
}
