package dev.tidemark.writer.http;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.BadInputException;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.row.TreeSize;
import dev.tidemark.row.TreeWeight;
import dev.tidemark.writer.commit.RowRefusedException;
import dev.tidemark.writer.commit.RowRules;

/**
 * Reads the body of a batch change by change: of a large body only one change is a tree at a time. Each row has the
 * limits that a row has elsewhere.
 */
final class SourceBatchReader {
    /** Longest position, in bytes. */
    static final int MAX_POSITION_BYTES = 64 * 1024;

    /** Most changes of a batch. */
    static final int MAX_CHANGES = 10_000;

    private static final Set<String> MEMBERS = Set.of("after", "position", "watermark", "tables");
    private static final Set<String> CHANGE_MEMBERS = Set.of("table", "op", "row", "keep", "key", "ifVersionBefore");

    private final SourceBatch batch;
    private final HeldMemory memory;
    private final Map<String, JsonNode> members = new HashMap<>();

    /** Bytes of heap that the members take, about. */
    private long memberBytes;

    SourceBatchReader(SourceBatch batch, HeldMemory memory) {
        this.batch = batch;
        this.memory = memory;
    }

    /** A change that cannot be taken. */
    static final class RefusedChangeException extends BadInputException {
        private static final long serialVersionUID = 1L;

        final int place;
        final transient Optional<RowRules> rules;
        final transient Optional<JsonNode> row;
        final transient BadInputException reason;

        RefusedChangeException(int place, Optional<RowRules> rules, Optional<JsonNode> row, BadInputException reason) {
            super("change " + place + ": " + reason.getMessage(), reason.limit().orElse(null));
            this.place = place;
            this.rules = rules;
            this.row = row;
            this.reason = reason;
        }
    }

    /**
     * Reads a body.
     *
     * @throws RefusedChangeException when a row cannot be taken
     * @throws BadInputException when it is no batch
     */
    void read(byte[] body) throws BadInputException {
        try (JsonParser parser = RowJson.strict(body)) {
            require(parser.nextToken() == JsonToken.START_OBJECT, "an object");
            while (parser.nextToken() == JsonToken.FIELD_NAME) {
                String name = parser.currentName();
                parser.nextToken();
                if (name.equals("changes")) {
                    changes(parser, body);
                } else {
                    require(MEMBERS.contains(name), "the members " + MEMBERS + " and changes, but got [" + name + "]");
                    JsonNode value = value(parser, body);
                    memberBytes += TreeWeight.of(value);
                    members.put(name, value);
                }
            }
            require(parser.nextToken() == null, "one object, and nothing after it");
        } catch (JsonProcessingException e) {
            throw new BadJsonException("expected JSON, but " + e.getOriginalMessage());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The position before the changes. */
    Optional<ObjectNode> after() throws BadJsonException {
        require(members.containsKey("after"), "after, which is null before the first batch");
        return member("after").isNull() ? Optional.empty() : Optional.of(position("after"));
    }

    /** The position after the changes. */
    ObjectNode position() throws BadJsonException {
        return position("position");
    }

    private ObjectNode position(String name) throws BadJsonException {
        require(member(name) instanceof ObjectNode, "an object as " + name + ", but got " + described(name));
        ObjectNode position = (ObjectNode) member(name);
        int bytes = RowJson.write(position).length;
        require(
                bytes <= MAX_POSITION_BYTES,
                name + " of at most " + MAX_POSITION_BYTES + " bytes, but it has " + bytes);
        return position;
    }

    /** The watermark, where the source has a new one. */
    Optional<Instant> watermark() throws BadJsonException {
        if (member("watermark").isNull()) {
            return Optional.empty();
        }
        try {
            return Optional.of(Instant.parse(member("watermark").asText()));
        } catch (DateTimeException e) {
            throw new BadJsonException("expected an RFC 3339 time as watermark, but got " + described("watermark"));
        }
    }

    /** The tables that the watermark is about, where the batch says so. */
    Optional<Set<String>> covered() throws BadJsonException {
        if (member("tables").isNull()) {
            return Optional.empty();
        }
        Set<String> names = new HashSet<>(texts("tables", member("tables")));
        for (String name : names) {
            batch.rules(name);
        }
        return Optional.of(names);
    }

    private JsonNode member(String name) {
        return members.getOrDefault(name, NullNode.getInstance());
    }

    private String described(String name) {
        return RowJson.describe(member(name));
    }

    private void changes(JsonParser parser, byte[] body) throws IOException, BadInputException {
        require(parser.currentToken() == JsonToken.START_ARRAY, "a list of changes");
        while (parser.nextToken() != JsonToken.END_ARRAY) {
            require(batch.size() < MAX_CHANGES, "at most " + MAX_CHANGES + " changes");
            require(parser.currentToken() == JsonToken.START_OBJECT, "an object as change " + batch.size());
            byte[] text = slice(parser, body);
            memory.need(memberBytes + batch.heldBytes() + TreeSize.mostBytes(text));
            change(text);
        }
    }

    private void change(byte[] text) throws BadInputException {
        int place = batch.size();
        Optional<RowRules> rules = Optional.empty();
        Optional<JsonNode> row = Optional.empty();
        try {
            ObjectNode change = RowJson.parseEnvelope(text);
            rules = Optional.of(batch.rules(change.path("table").asText()));
            row = Optional.of(change.path(change.has("row") ? "row" : "key"));
            change(rules.get(), change);
        } catch (BadInputException e) {
            throw new RefusedChangeException(place, rules, row, e);
        }
    }

    private void change(RowRules rules, ObjectNode change) throws BadInputException {
        Set<String> unknown = new HashSet<>();
        change.fieldNames().forEachRemaining(unknown::add);
        unknown.removeAll(CHANGE_MEMBERS);
        require(unknown.isEmpty(), "the members " + CHANGE_MEMBERS + ", but got " + unknown);
        switch (change.path("op").asText()) {
            case "put" -> {
                List<String> keep = change.has("keep") ? texts("keep", change.get("keep")) : List.of();
                batch.put(rules, object(change, "row", rules.maxRowBytes()), keep);
            }
            case "delete" -> {
                Optional<RowVersion> before = change.has("ifVersionBefore")
                        ? Optional.of(version(change.path("ifVersionBefore")))
                        : Optional.empty();
                batch.delete(rules, object(change, "key", rules.maxRowBytes()), before);
            }
            default ->
                throw new BadJsonException(
                        "expected put or delete as op, but got " + RowJson.describe(change.path("op")));
        }
    }

    /** An object within the limits of a row. */
    private static ObjectNode object(ObjectNode change, String name, int mostBytes) throws BadInputException {
        require(change.get(name) instanceof ObjectNode, "an object as " + name);
        byte[] text = RowJson.write(change.get(name));
        if (text.length > mostBytes) {
            throw new RowRefusedException(
                    RowRefusedException.Kind.TOO_LARGE,
                    "expected a row of at most " + mostBytes + " bytes, but it has " + text.length);
        }
        return RowJson.parseObject(text);
    }

    private static RowVersion version(JsonNode text) throws BadJsonException {
        try {
            return RowVersion.parse(text.asText());
        } catch (IllegalArgumentException e) {
            throw new BadJsonException(
                    "expected a version of 19 digits as ifVersionBefore, but got " + RowJson.describe(text));
        }
    }

    private static List<String> texts(String name, JsonNode list) throws BadJsonException {
        List<String> texts = new ArrayList<>();
        for (JsonNode text : list) {
            require(text.isTextual(), "a list of names as " + name + ", but got " + RowJson.describe(text));
            texts.add(text.asText());
        }
        require(list.isArray(), "a list of names as " + name + ", but got " + RowJson.describe(list));
        return texts;
    }

    /** A value that is read as a tree at once. */
    private JsonNode value(JsonParser parser, byte[] body) throws IOException, BadJsonException {
        byte[] text = slice(parser, body);
        memory.need(memberBytes + batch.heldBytes() + TreeSize.mostBytes(text));
        return RowJson.parse(text);
    }

    /** The text of the value at which the parser stands, which is then behind it. */
    private static byte[] slice(JsonParser parser, byte[] body) throws IOException {
        int from = (int) parser.currentTokenLocation().getByteOffset();
        if (parser.currentToken().isStructStart()) {
            parser.skipChildren();
        } else {
            parser.finishToken();
        }
        return Arrays.copyOfRange(body, from, (int) parser.currentLocation().getByteOffset());
    }

    private static void require(boolean holds, String expected) throws BadJsonException {
        if (!holds) {
            throw new BadJsonException("expected " + expected);
        }
    }
}
