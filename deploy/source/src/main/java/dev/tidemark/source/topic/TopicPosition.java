package dev.tidemark.source.topic;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.row.RowJson;
import dev.tidemark.source.feed.Position;
import dev.tidemark.source.feed.Writer;

/**
 * What the writer keeps for a source that reads topics, in the batch of the rows up to it.
 *
 * @param loading while all is read, the first version that its rows get; empty while changes are followed
 * @param covered whether the watermark is about the tables
 * @param snapshot the position of the database at which Debezium has read the tables; empty while none was seen
 * @param current when all that was there was read, by the writer's clock
 * @param ids of the topics, by their name
 * @param offsets of the next record of each partition
 * @param carried tables whose events are in the topics up to there
 * @param tables the tables, by name of the fact table
 * @param gaps since {@code current}
 */
record TopicPosition(
        Optional<String> loading,
        boolean covered,
        Optional<String> snapshot,
        Instant current,
        Map<String, String> ids,
        Map<Topics.Place, Long> offsets,
        TopicTables carried,
        Map<String, Writer.Origin> tables,
        TopicGaps gaps) {
    private static final String TOPICS = "topics";
    private static final String TABLES = "tables";
    private static final String SNAPSHOT = "snapshot";
    private static final String LOADING = "loading";
    private static final String SINCE = "since";

    TopicPosition {
        ids = Map.copyOf(ids);
        offsets = Map.copyOf(offsets);
        tables = Map.copyOf(tables);
    }

    /** Before the first record of all topics. */
    static TopicPosition beginning(Topics.Found found, Instant now, Map<String, Writer.Origin> tables) {
        Map<String, String> ids = new HashMap<>();
        found.topics().forEach((name, topic) -> ids.put(name, topic.id()));
        Map<Topics.Place, Long> offsets = new HashMap<>();
        found.ends().keySet().forEach(place -> offsets.put(place, 0L));
        return new TopicPosition(
                Optional.of(""),
                false,
                Optional.empty(),
                now,
                ids,
                offsets,
                TopicTables.none(ids.keySet()),
                tables,
                TopicGaps.NONE);
    }

    /** The same for tables that are still those; a position of an earlier version does not know since when they are. */
    TopicPosition knowing(Map<String, Writer.Origin> now) {
        Map<String, Writer.Origin> known = new HashMap<>(tables);
        known.replaceAll((name, origin) -> origin.as(now.getOrDefault(name, origin)));
        return new TopicPosition(loading, covered, snapshot, current, ids, offsets, carried, known, gaps);
    }

    TopicPosition loading(String firstVersion) {
        return new TopicPosition(
                Optional.of(firstVersion), covered, snapshot, current, ids, offsets, carried, tables, gaps);
    }

    /** All was read from the beginning. */
    TopicPosition following(String firstVersion, Instant now) {
        return new TopicPosition(
                Optional.empty(),
                covered,
                snapshot,
                current,
                ids,
                offsets,
                carried,
                tables,
                gaps.loaded(firstVersion, now));
    }

    TopicPosition withCover() {
        return new TopicPosition(loading, true, snapshot, current, ids, offsets, carried, tables, gaps);
    }

    TopicPosition withSnapshot(String at) {
        return new TopicPosition(loading, covered, Optional.of(at), current, ids, offsets, carried, tables, gaps);
    }

    TopicPosition at(Map<Topics.Place, Long> next, TopicTables read) {
        return new TopicPosition(loading, covered, snapshot, current, ids, next, read, tables, gaps);
    }

    /** All that was there at a time was read. */
    TopicPosition currentAt(Instant time, TopicGaps since) {
        return new TopicPosition(loading, covered, snapshot, time, ids, offsets, carried, tables, since);
    }

    TopicPosition with(TopicGaps since) {
        return currentAt(current, since);
    }

    /** The same, as a source reads on from there. */
    TopicPosition resumed(Set<String> compacted, Instant now) {
        return with(gaps.resumed(compacted, now));
    }

    /**
     * Whether the rows of a table come from the topics: one has its name, or records about it were read. The rows of
     * another table come from elsewhere, and the topics say nothing of them.
     *
     * @param table its name in the database
     */
    boolean brings(String table) {
        return ids.keySet().stream().anyMatch(topic -> TopicRules.isNamedAfter(topic, table))
                || carried.mayHold(table, ids.keySet());
    }

    /** As the writer keeps it. */
    ObjectNode toJson() {
        ObjectNode json = RowJson.mapper().createObjectNode();
        loading.ifPresent(version -> json.put(LOADING, version));
        snapshot.ifPresent(at -> json.put(SNAPSHOT, at));
        gaps.write(json);
        json.put("covered", covered).put("current", current.toString());
        ObjectNode topics = json.putObject(TOPICS);
        new TreeMap<>(ids).forEach((name, id) -> {
            ObjectNode topic = topics.putObject(name).put("id", id);
            ArrayNode next = topic.putArray("offsets");
            Long offset = offsets.get(new Topics.Place(name, 0));
            while (offset != null) {
                next.add(offset);
                offset = offsets.get(new Topics.Place(name, next.size()));
            }
            carried.write(name, topic);
            gaps.write(name, topic);
        });
        ObjectNode names = json.putObject(TABLES);
        ObjectNode since = json.putObject(SINCE);
        new TreeMap<>(tables).forEach((name, origin) -> {
            names.put(name, origin.table());
            since.put(name, origin.since());
        });
        return json;
    }

    /** Whether a source that reads topics has stored this. */
    static boolean isOne(JsonNode json) {
        return json.path(TOPICS).isObject();
    }

    /** The inverse of {@link #toJson()}. */
    static TopicPosition of(JsonNode json) {
        Map<String, String> ids = new HashMap<>();
        Map<Topics.Place, Long> offsets = new HashMap<>();
        json.path(TOPICS).properties().forEach(topic -> {
            ids.put(topic.getKey(), topic.getValue().path("id").asText());
            List<JsonNode> next = new ArrayList<>();
            topic.getValue().path("offsets").forEach(next::add);
            for (int number = 0; number < next.size(); number++) {
                offsets.put(
                        new Topics.Place(topic.getKey(), number),
                        next.get(number).asLong());
            }
        });
        Map<String, Writer.Origin> tables = new HashMap<>();
        Position.texts(json.path(TABLES))
                .forEach((name, table) -> tables.put(
                        name,
                        new Writer.Origin(table, json.path(SINCE).path(name).asLong())));
        return new TopicPosition(
                Optional.ofNullable(json.path(LOADING).textValue()),
                json.path("covered").asBoolean(),
                Optional.ofNullable(json.path(SNAPSHOT).textValue()),
                Instant.parse(json.path("current").asText()),
                ids,
                offsets,
                TopicTables.of(json.path(TOPICS)),
                tables,
                TopicGaps.of(json, json.path(TOPICS)));
    }
}
