package dev.tidemark.source.feed;

import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * What the writer keeps for a source, in the batch of the rows up to it.
 *
 * @param snapshot while tables are read; empty while changes are followed
 * @param order of the last event that was committed; an engine begins with the whole transaction after its base
 * @param offset the same beginning in the engine's own words, as JSON; empty where the base says it
 * @param identity of the database
 * @param tables names in the database of the tables whose rows were read, by name of the fact table
 * @param columns digests of the columns of the tables that are followed, by name in the database
 * @param unsettled how many markers must follow until {@code columns} are the digests at this position for certain
 * @param repeated tables that were read later than this position, so that the stream repeats changes which their rows
 *     have, by name in the database: until a marker of a later time than this
 */
public record Position(
        Optional<Reading> snapshot,
        EventOrder order,
        String offset,
        Identity identity,
        Map<String, String> tables,
        Map<String, String> columns,
        int unsettled,
        Map<String, Instant> repeated) {
    /** The digest in the first marker after an alteration, or a snapshot, may have been computed before it. */
    private static final int MARKERS = 2;

    private static final String SNAPSHOT = "snapshot";
    private static final String READER = "reader";
    private static final String OFFSET = "offset";
    private static final String UNSETTLED = "unsettled";
    private static final String REPEATED = "repeated";
    private static final String TABLES = "tables";
    private static final String COLUMNS = "columns";

    /**
     * What distinguishes two histories of changes.
     *
     * @param system number of the cluster, which copies share
     * @param timeline raised when a standby or a restored copy takes over
     */
    public record Identity(String system, long timeline) {}

    /**
     * A snapshot under way.
     *
     * @param first the first version that its rows get; empty until the writer has said it
     * @param reader distinguishes it from any other snapshot: while tables are read, no place in the stream does
     */
    public record Reading(String first, String reader) {
        private static Optional<Reading> begin() {
            return Optional.of(new Reading("", UUID.randomUUID().toString()));
        }
    }

    public Position {
        tables = Map.copyOf(tables);
        columns = Map.copyOf(columns);
        repeated = Map.copyOf(repeated);
    }

    /** The position of a snapshot of all tables that begins. */
    static Position beforeSnapshot(Identity identity, Map<String, String> columns) {
        return new Position(Reading.begin(), EventOrder.START, "", identity, Map.of(), columns, MARKERS, Map.of());
    }

    /** Whether a snapshot of all tables is under way, so that there is no stream to go on with. */
    boolean isFirstSnapshot() {
        return snapshot.isPresent() && order.equals(EventOrder.START);
    }

    /**
     * The same for the tables that are followed now. A snapshot of some tables begins again, so it is forgotten.
     *
     * @param read those of them whose rows were read
     */
    Position restrictedTo(Map<String, String> read, Collection<String> followed) {
        Map<String, String> known = new TreeMap<>(columns);
        known.keySet().retainAll(followed);
        Map<String, Instant> replayed = new TreeMap<>(repeated);
        replayed.keySet().retainAll(followed);
        Optional<Reading> whole = snapshot.filter(reading -> isFirstSnapshot());
        return new Position(whole, order, offset, identity, read, known, unsettled, replayed);
    }

    /** Names in the database of those of the tables whose rows were not read. */
    List<String> unread(Map<String, Writer.Followed> followed) {
        return followed.entrySet().stream()
                .filter(table -> !tables.containsKey(table.getValue().table()))
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** The same before a snapshot of more tables, with their columns. */
    Position adding(Map<String, String> more) {
        return new Position(Reading.begin(), order, offset, identity, tables, with(more), MARKERS, repeated);
    }

    /** The same snapshot while rows of at least this version come in. */
    Position reading(String firstVersion) {
        Optional<Reading> reading = snapshot.map(begun -> new Reading(firstVersion, begun.reader()));
        return new Position(reading, order, offset, identity, tables, columns, unsettled, repeated);
    }

    /**
     * The same after the snapshot, when the rows of all these tables were read, before the first event.
     *
     * @param end of the snapshot, by the writer's clock
     */
    Position following(String begin, Map<String, String> read, Instant end) {
        Map<String, Instant> replayed = new TreeMap<>(repeated);
        if (!isFirstSnapshot()) {
            read.forEach((name, table) -> {
                if (!tables.containsKey(name)) {
                    replayed.put(table, end);
                }
            });
        }
        return new Position(Optional.empty(), order, begin, identity, read, columns, unsettled, replayed);
    }

    Position at(EventOrder event, String begin) {
        return new Position(snapshot, event, begin, identity, tables, columns, unsettled, repeated);
    }

    Position altered() {
        return new Position(snapshot, order, offset, identity, tables, columns, MARKERS, repeated);
    }

    /** The same at a marker of that time with these digests. */
    Position marked(Instant time, Map<String, String> digests) {
        Map<String, Instant> replayed = new TreeMap<>(repeated);
        replayed.values().removeIf(time::isAfter);
        int left = Math.max(0, unsettled - 1);
        return new Position(snapshot, order, offset, identity, tables, with(digests), left, replayed);
    }

    /** The same when changes of these tables may be lost, so that a later process reads them again, too. */
    Position doubting(Collection<String> lacking) {
        Map<String, String> all = new TreeMap<>(columns);
        all.replaceAll((table, digest) -> lacking.contains(table) ? Columns.UNPUBLISHED : digest);
        return new Position(snapshot, order, offset, identity, tables, all, unsettled, repeated);
    }

    private Map<String, String> with(Map<String, String> digests) {
        Map<String, String> all = new TreeMap<>(columns);
        all.putAll(digests);
        return all;
    }

    /** As the writer keeps it. */
    ObjectNode toJson() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        snapshot.ifPresent(reading -> json.put(SNAPSHOT, reading.first()).put(READER, reading.reader()));
        json.put("base", order.base()).put("lsn", order.lsn()).put("number", order.number());
        json.put("system", identity.system()).put("timeline", identity.timeline());
        new TreeMap<>(tables).forEach(json.putObject(TABLES)::put);
        new TreeMap<>(columns).forEach(json.putObject(COLUMNS)::put);
        if (!offset.isEmpty()) {
            json.put(OFFSET, offset);
        }
        if (unsettled > 0) {
            json.put(UNSETTLED, unsettled);
        }
        if (!repeated.isEmpty()) {
            ObjectNode times = json.putObject(REPEATED);
            new TreeMap<>(repeated).forEach((table, time) -> times.put(table, time.toString()));
        }
        return json;
    }

    /** The inverse of {@link #toJson()}. A snapshot of an earlier version has no reader. */
    static Position of(JsonNode json) {
        Map<String, Instant> repeated = new TreeMap<>();
        texts(json.path(REPEATED)).forEach((table, time) -> repeated.put(table, Instant.parse(time)));
        return new Position(
                Optional.ofNullable(json.path(SNAPSHOT).textValue())
                        .map(first -> new Reading(first, json.path(READER).asText(""))),
                new EventOrder(
                        json.path("base").asLong(),
                        json.path("lsn").asLong(),
                        json.path("number").asInt()),
                json.path(OFFSET).asText(""),
                new Identity(json.path("system").asText(), json.path("timeline").asLong()),
                texts(json.path(TABLES)),
                texts(json.path(COLUMNS)),
                json.path(UNSETTLED).asInt(),
                repeated);
    }

    /** The members of an object of texts. */
    public static Map<String, String> texts(JsonNode object) {
        Map<String, String> texts = new TreeMap<>();
        object.properties()
                .forEach(one -> texts.put(one.getKey(), one.getValue().asText()));
        return texts;
    }
}
