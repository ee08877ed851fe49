package dev.tidemark.change;

import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.PlainEnvelope;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;

/**
 * Messages of one table ⇄ records.
 *
 * <p>Headers are CloudEvents 1.0 in Kafka's binary mode: {@code ce_id} is the version, {@code ce_type} the kind,
 * {@code ce_time} the commit time, {@code ce_source} the table. The value of a change is
 * {@code {"op","after","source"}}; a delete has {@code "after":null}, a forgotten row no value at all, a heartbeat
 * {@code {"op":"h"}}, now and then with {@code "digests":{"<generation>":"<32 hexadecimal digits>"}}, which a reader
 * may ignore. Heartbeats of a table that follows a source are of another kind, and have {@code "source":{"watermark"}}.
 * The relay adds the header of {@link PublishTimings}, which a record may lack.
 *
 * <p>The kind is the version of the format too: a record that older readers must not take has another kind, such as one
 * that ends with {@code .v2}. Readers ignore headers and fields that they do not know.
 */
public final class ChangeCodec {
    /** Key of heartbeats: no row has it, because no key begins with a zero byte. */
    public static final KeyBytes HEARTBEAT_KEY = KeyBytes.wrap(new byte[] {0});

    /** Header with the version. */
    public static final String ID = "ce_id";

    /** Header with the kind of message. */
    public static final String TYPE = "ce_type";

    /**
     * Header with the name of the source that the row of a change comes from; absent where clients write the rows. The
     * commit time of a change with it is no watermark: the source may have committed more before.
     */
    public static final String ROW_SOURCE = "ce_rowsource";

    static final String TIME = "ce_time";
    static final String SOURCE = "ce_source";
    static final String AFTER = "after";

    private static final String OPERATION = "op";

    private static final String UPSERTED = "dev.tidemark.row.upserted";
    private static final String DELETED = "dev.tidemark.row.deleted";
    private static final String FORGOTTEN = "dev.tidemark.row.forgotten";
    private static final String HEARTBEAT = "dev.tidemark.heartbeat";
    private static final String SOURCE_HEARTBEAT = "dev.tidemark.heartbeat.source";

    private static final String NO_HEARTBEAT = "a heartbeat to have the key of heartbeats";
    private static final Instant FIRST_TIME = Instant.parse("0000-01-01T00:00:00Z");
    private static final Instant LAST_TIME = Instant.parse("9999-12-31T23:59:59.999999999Z");
    private static final String RFC_3339 = "expected an RFC 3339 time in " + TIME + ", but got ";

    private final String table;

    public ChangeCodec(String table) {
        this.table = table;
    }

    public WireRecord encode(ChangeMessage message) {
        if (message instanceof Heartbeat heartbeat) {
            return new WireRecord(
                    HEARTBEAT_KEY,
                    HeartbeatJson.write(heartbeat),
                    headers(
                            heartbeat.source().isPresent() ? SOURCE_HEARTBEAT : HEARTBEAT,
                            heartbeat.frontier(),
                            heartbeat.completeUpTo()));
        }
        if (message instanceof ChangeEvent.Upserted event) {
            KeyBytes value = value(event.operation().code(), event.row().bytes(), event);
            return new WireRecord(event.key(), value, headers(UPSERTED, event.version(), event.committedAt()));
        }
        if (message instanceof ChangeEvent.Deleted event) {
            KeyBytes value = value("d", "null".getBytes(StandardCharsets.UTF_8), event);
            return new WireRecord(event.key(), value, headers(DELETED, event.version(), event.committedAt()));
        }
        if (message instanceof ChangeEvent.Forgotten event) {
            return new WireRecord(event.key(), null, headers(FORGOTTEN, event.version(), event.committedAt()));
        }
        throw new AssertionError("unknown kind of message: " + message);
    }

    /**
     * Reads a record.
     *
     * @throws MalformedChangeException when no writer of this version can have written it
     */
    public ChangeMessage decode(WireRecord record) throws MalformedChangeException {
        return decode(record, RowFields.NONE);
    }

    /**
     * Reads a record, and reads the wanted fields of its row in the same pass.
     *
     * @throws MalformedChangeException when no writer of this version can have written it
     */
    public ChangeMessage decode(WireRecord record, RowFields wanted) throws MalformedChangeException {
        String type = header(record, TYPE);
        RowVersion version = version(record);
        Instant time = time(record);
        boolean ofSource = type.equals(SOURCE_HEARTBEAT);
        boolean heartbeat = ofSource || type.equals(HEARTBEAT);
        require(record.key().equals(HEARTBEAT_KEY) || !heartbeat, NO_HEARTBEAT, type);
        require(heartbeat || version.isAfter(RowVersion.NONE), "a version that a writer assigns", version);
        return switch (type) {
            case HEARTBEAT, SOURCE_HEARTBEAT -> HeartbeatJson.read(record, time, version, ofSource);
            case DELETED -> deleted(ofRow(record, type), version, time);
            case FORGOTTEN -> forgotten(ofRow(record, type), version, time);
            case UPSERTED -> upserted(ofRow(record, type), version, time, wanted);
            default ->
                throw new MalformedChangeException("expected " + TYPE + " of a known kind, but got " + type
                        + ", which a newer version of the writer may write");
        };
    }

    /**
     * The version alone, which may be readable where the rest is not.
     *
     * @throws MalformedChangeException when the header is absent or not a version
     */
    public static RowVersion version(WireRecord record) throws MalformedChangeException {
        String text = header(record, ID);
        try {
            return RowVersion.parse(text);
        } catch (IllegalArgumentException e) {
            throw new MalformedChangeException("expected a version of 19 digits in " + ID + ", but got " + text);
        }
    }

    /** Whether a record brings a row, as far as its header says. */
    static boolean isUpsert(WireRecord record) throws MalformedChangeException {
        return header(record, TYPE).equals(UPSERTED);
    }

    private static Instant time(WireRecord record) throws MalformedChangeException {
        String text = header(record, TIME);
        try {
            Instant time = CommitTime.parse(text);
            if (!time.isBefore(FIRST_TIME) && !time.isAfter(LAST_TIME)) {
                return time;
            }
        } catch (DateTimeException e) {
            throw new MalformedChangeException(RFC_3339 + text);
        }
        throw new MalformedChangeException(RFC_3339 + text);
    }

    private static WireRecord ofRow(WireRecord record, String type) throws MalformedChangeException {
        require(!record.key().equals(HEARTBEAT_KEY), NO_HEARTBEAT, type);
        return record;
    }

    private static ChangeEvent upserted(WireRecord record, RowVersion version, Instant time, RowFields wanted)
            throws MalformedChangeException {
        PlainEnvelope plain = record.value() == null
                ? null
                : PlainEnvelope.read(record.value().array(), OPERATION, AFTER, wanted);
        if (plain != null) {
            JsonNode op = TextNode.valueOf(plain.word());
            return new ChangeEvent.Upserted(record.key(), version, time, kind(op), plain.row());
        }
        ObjectNode value = valueOf(record);
        if (value.path(AFTER) instanceof ObjectNode row) {
            return new ChangeEvent.Upserted(
                    record.key(), version, time, kind(value.path(OPERATION)), RowDocument.of(row));
        }
        throw new MalformedChangeException(
                "expected an object in after, but got " + RowJson.describe(value.path(AFTER)));
    }

    private static ChangeEvent deleted(WireRecord record, RowVersion version, Instant time)
            throws MalformedChangeException {
        ObjectNode value = valueOf(record);
        require("d".equals(value.path(OPERATION).textValue()), "op d", RowJson.describe(value.path(OPERATION)));
        require(value.path(AFTER).isNull(), "null in after", RowJson.describe(value.path(AFTER)));
        return new ChangeEvent.Deleted(record.key(), version, time);
    }

    private static ChangeEvent forgotten(WireRecord record, RowVersion version, Instant time)
            throws MalformedChangeException {
        require(record.value() == null, "no value for a forgotten row", "one");
        return new ChangeEvent.Forgotten(record.key(), version, time);
    }

    private static ObjectNode valueOf(WireRecord record) throws MalformedChangeException {
        if (record.value() == null) {
            throw new MalformedChangeException("expected a value, but got none");
        }
        try {
            return RowJson.parseEnvelope(record.value().array());
        } catch (BadJsonException e) {
            throw new MalformedChangeException(e.getMessage());
        }
    }

    private static void require(boolean holds, String expected, Object found) throws MalformedChangeException {
        if (!holds) {
            throw new MalformedChangeException("expected " + expected + ", but got " + found);
        }
    }

    private static UpsertKind kind(JsonNode op) throws MalformedChangeException {
        for (UpsertKind kind : UpsertKind.values()) {
            if (kind.code().equals(op.textValue())) {
                return kind;
            }
        }
        throw new MalformedChangeException("expected op c, u or r, but got " + RowJson.describe(op));
    }

    private static String header(WireRecord record, String name) throws MalformedChangeException {
        String value = record.headers().get(name);
        if (value == null) {
            throw new MalformedChangeException("expected the header " + name + ", but it is absent");
        }
        return value;
    }

    private Map<String, String> headers(String type, RowVersion version, Instant time) {
        Map<String, String> headers = new HashMap<>();
        headers.put("ce_specversion", "1.0");
        headers.put("content-type", "application/json");
        headers.put(ID, version.toString());
        headers.put(TYPE, type);
        headers.put(TIME, time.toString());
        headers.put(SOURCE, "/tidemark/" + table);
        return headers;
    }

    private KeyBytes value(String op, byte[] after, ChangeEvent event) {
        byte[] head = ("{\"op\":\"" + op + "\",\"after\":").getBytes(StandardCharsets.UTF_8);
        KeyBytes tail = utf8(",\"source\":{\"name\":\"tidemark\",\"table\":\"" + table + "\",\"version\":\""
                + event.version() + "\"},\"ts_ms\":" + event.committedAt().toEpochMilli() + "}");
        return KeyBytes.wrap(head).concat(KeyBytes.wrap(after)).concat(tail);
    }

    private static KeyBytes utf8(String text) {
        return KeyBytes.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
