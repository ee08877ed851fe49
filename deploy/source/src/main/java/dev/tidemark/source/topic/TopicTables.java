package dev.tidemark.source.topic;

import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.zip.CRC32;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Of which tables events were read since all was read from the beginning. All rows came with these events.
 *
 * @param byTopic names of tables by the form of the key of their records, by name of the topic. A topic is missing
 *     where an older version has read it, which did not keep its tables
 * @param deleted digests of keys whose deletion is the last event of their partition
 */
record TopicTables(Map<String, Map<String, Set<String>>> byTopic, Map<Topics.Place, String> deleted) {
    private static final String TABLES = "tables";
    private static final String DELETED = "deleted";

    TopicTables {
        byTopic = Map.copyOf(byTopic);
        deleted = Map.copyOf(deleted);
    }

    /** What takes the place of a text of any length. */
    static String digest(String text) {
        CRC32 sum = new CRC32();
        sum.update(text.getBytes(StandardCharsets.UTF_8));
        return Long.toHexString(sum.getValue());
    }

    /** No event of these topics was read. */
    static TopicTables none(Set<String> topics) {
        Map<String, Map<String, Set<String>>> byTopic = new HashMap<>();
        topics.forEach(topic -> byTopic.put(topic, Map.of()));
        return new TopicTables(byTopic, Map.of());
    }

    boolean knows(String topic) {
        return byTopic.containsKey(topic);
    }

    /** Whether an event of a table was read, or may have been by a version that kept no tables of a topic. */
    boolean mayHold(String table, Set<String> topics) {
        return !byTopic.keySet().containsAll(topics)
                || byTopic.values().stream()
                        .flatMap(byForm -> byForm.values().stream())
                        .anyMatch(tables -> tables.contains(table));
    }

    /** The tables whose events have keys of that form. */
    Set<String> of(String topic, String form) {
        return byTopic.getOrDefault(topic, Map.of()).getOrDefault(form, Set.of());
    }

    /** With a table of which an event was read. */
    TopicTables with(String topic, String form, String table) {
        Set<String> former = of(topic, form);
        if (former.contains(table) || !knows(topic)) {
            return this;
        }
        Set<String> tables = new TreeSet<>(former);
        tables.add(table);
        Map<String, Set<String>> byForm = new HashMap<>(byTopic.getOrDefault(topic, Map.of()));
        byForm.put(form, Set.copyOf(tables));
        Map<String, Map<String, Set<String>>> next = new HashMap<>(byTopic);
        next.put(topic, Map.copyOf(byForm));
        return new TopicTables(next, deleted);
    }

    /** With these deletions in place of the former ones. */
    TopicTables behind(Map<Topics.Place, String> deletions) {
        return new TopicTables(byTopic, deletions);
    }

    /** Adds what is known of a topic to its JSON. */
    void write(String topic, ObjectNode json) {
        Optional.ofNullable(byTopic.get(topic)).ifPresent(byForm -> {
            ObjectNode forms = json.putObject(TABLES);
            new TreeMap<>(byForm).forEach((form, tables) -> new TreeSet<>(tables).forEach(forms.putArray(form)::add));
        });
        Map<Integer, String> keys = new TreeMap<>();
        deleted.forEach((place, key) -> {
            if (place.topic().equals(topic)) {
                keys.put(place.number(), key);
            }
        });
        if (!keys.isEmpty()) {
            ObjectNode last = json.putObject(DELETED);
            keys.forEach((number, key) -> last.put(Integer.toString(number), key));
        }
    }

    /** The inverse of {@link #write}, for all topics. */
    static TopicTables of(JsonNode topics) {
        Map<String, Map<String, Set<String>>> byTopic = new HashMap<>();
        Map<Topics.Place, String> deleted = new HashMap<>();
        topics.properties().forEach(topic -> {
            topic.getValue()
                    .path(DELETED)
                    .properties()
                    .forEach(one -> deleted.put(
                            new Topics.Place(topic.getKey(), Integer.parseInt(one.getKey())),
                            one.getValue().asText()));
            JsonNode forms = topic.getValue().path(TABLES);
            if (forms.isObject()) {
                Map<String, Set<String>> byForm = new HashMap<>();
                forms.properties().forEach(form -> byForm.put(form.getKey(), names(form.getValue())));
                byTopic.put(topic.getKey(), Map.copyOf(byForm));
            }
        });
        return new TopicTables(byTopic, deleted);
    }

    private static Set<String> names(JsonNode list) {
        Set<String> names = new TreeSet<>();
        list.forEach(name -> names.add(name.asText()));
        return Set.copyOf(names);
    }
}
