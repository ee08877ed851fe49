package dev.tidemark.source.feed;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;

/**
 * What the writer keeps for a source, in the batch of the rows up to it.
 *
 * @param snapshot while the tables are read, the first version that their rows get; empty while changes are followed
 * @param order of the last event that was committed; an engine begins with the whole transaction after its base
 * @param offset the same beginning in the engine's own words, as JSON; empty where the base says it
 * @param identity of the database
 * @param tables names of the tables in the database, by name of the fact table
 * @param columns digest of their columns
 * @param unsettled how many markers must follow until {@code columns} is the digest at this position for certain
 */
public record Position(
        Optional<String> snapshot,
        EventOrder order,
        String offset,
        Identity identity,
        Map<String, String> tables,
        String columns,
        int unsettled) {
    /** The digest in the first marker after an alteration, or a snapshot, may have been computed before it. */
    private static final int MARKERS = 2;

    private static final String SNAPSHOT = "snapshot";
    private static final String OFFSET = "offset";
    private static final String UNSETTLED = "unsettled";

    /**
     * What distinguishes two histories of changes.
     *
     * @param system number of the cluster, which copies share
     * @param timeline raised when a standby or a restored copy takes over
     */
    public record Identity(String system, long timeline) {}

    public Position {
        tables = Map.copyOf(tables);
    }

    /** The position of a snapshot that begins. */
    static Position beforeSnapshot(Identity identity, Map<String, String> tables, String columns) {
        return new Position(Optional.of(""), EventOrder.START, "", identity, tables, columns, MARKERS);
    }

    /** The same while rows of at least this version come in. */
    Position reading(String firstVersion) {
        return new Position(Optional.of(firstVersion), order, offset, identity, tables, columns, unsettled);
    }

    /** The same after the snapshot, before the first event. */
    Position following(String begin) {
        return new Position(Optional.empty(), EventOrder.START, begin, identity, tables, columns, unsettled);
    }

    Position at(EventOrder event, String begin) {
        return new Position(snapshot, event, begin, identity, tables, columns, unsettled);
    }

    Position altered() {
        return new Position(snapshot, order, offset, identity, tables, columns, MARKERS);
    }

    /** The same at a marker with this digest. */
    Position marked(String digest) {
        return new Position(snapshot, order, offset, identity, tables, digest, Math.max(0, unsettled - 1));
    }

    /** As the writer keeps it. */
    ObjectNode toJson() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        snapshot.ifPresent(version -> json.put(SNAPSHOT, version));
        json.put("base", order.base()).put("lsn", order.lsn()).put("number", order.number());
        json.put("system", identity.system()).put("timeline", identity.timeline());
        ObjectNode names = json.putObject("tables");
        new TreeMap<>(tables).forEach(names::put);
        json.put("columns", columns);
        if (!offset.isEmpty()) {
            json.put(OFFSET, offset);
        }
        if (unsettled > 0) {
            json.put(UNSETTLED, unsettled);
        }
        return json;
    }

    /** The inverse of {@link #toJson()}. */
    static Position of(JsonNode json) {
        Map<String, String> tables = new TreeMap<>();
        json.path("tables")
                .properties()
                .forEach(one -> tables.put(one.getKey(), one.getValue().asText()));
        return new Position(
                Optional.ofNullable(json.path(SNAPSHOT).textValue()),
                new EventOrder(
                        json.path("base").asLong(),
                        json.path("lsn").asLong(),
                        json.path("number").asInt()),
                json.path(OFFSET).asText(""),
                new Identity(json.path("system").asText(), json.path("timeline").asLong()),
                tables,
                json.path("columns").asText(),
                json.path(UNSETTLED).asInt());
    }
}
