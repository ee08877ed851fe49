package dev.tidemark.source.topic;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What compaction may have removed of topics before it was read, since a time at which all was read.
 *
 * @param skipped compacted topics of which offsets without a record were passed: compaction may have removed one, or it
 *     was an entry of a transaction
 * @param spares for how long compaction spared the records of each topic at least
 * @param load that ended, while not all that came since it began was read
 */
record TopicGaps(Set<String> skipped, Map<String, Duration> spares, Optional<Load> load) {
    static final TopicGaps NONE = new TopicGaps(Set.of(), Map.of(), Optional.empty());

    /** Without a lag, a segment still has to be rolled and a pass of the cleaner to end before a record is gone. */
    private static final Duration CLEANING = Duration.ofMinutes(1);

    private static final String SKIPPED = "skipped";
    private static final String SPARES = "spares";
    private static final String LOADED = "loaded";
    private static final String READ = "read";

    /**
     * All was read from the beginning.
     *
     * @param first the first version that its rows got
     * @param read until when the source has read on since, by the writer's clock
     */
    record Load(String first, Instant read) {}

    TopicGaps {
        skipped = Set.copyOf(skipped);
        spares = Map.copyOf(spares);
    }

    /** An offset without a record was passed. */
    TopicGaps skipping(String topic) {
        if (skipped.contains(topic)) {
            return this;
        }
        Set<String> all = new HashSet<>(skipped);
        all.add(topic);
        return new TopicGaps(all, spares, load);
    }

    /** Topics were looked at. A longer time now does not say that records were spared for as long before. */
    TopicGaps seeing(Map<String, Topics.Compaction> compacted) {
        Map<String, Duration> least = new HashMap<>(spares);
        compacted.forEach((topic, how) ->
                least.merge(topic, how.spares(), (one, other) -> one.compareTo(other) < 0 ? one : other));
        return new TopicGaps(skipped, least, load);
    }

    /** A load ended. */
    TopicGaps loaded(String first, Instant now) {
        return new TopicGaps(skipped, spares, Optional.of(new Load(first, now)));
    }

    /** The source still reads. */
    TopicGaps reading(Instant now) {
        return load.map(ended -> loaded(ended.first(), now)).orElse(this);
    }

    /** The source reads on, perhaps after an absence: one in which records may be gone ends what the load excuses. */
    TopicGaps resumed(Set<String> compacted, Instant now) {
        Optional<Load> still = load.filter(ended ->
                compacted.stream().noneMatch(topic -> mayLack(topic, Duration.between(ended.read(), now))));
        return new TopicGaps(skipped, spares, still);
    }

    /**
     * For how long compaction spared the records of a topic at least.
     *
     * @return zero where it is not known
     */
    Duration spares(String topic) {
        return spares.getOrDefault(topic, Duration.ZERO);
    }

    /** Whether compaction may have removed records of a topic that were written within that time. */
    boolean mayLack(String topic, Duration time) {
        return time.compareTo(CLEANING) > 0 && time.compareTo(spares(topic)) > 0;
    }

    void write(String topic, ObjectNode json) {
        if (skipped.contains(topic)) {
            json.put(SKIPPED, true);
        }
        if (spares.containsKey(topic)) {
            json.put(SPARES, spares(topic).toMillis());
        }
    }

    /** Writes what is not about a topic. */
    void write(ObjectNode json) {
        load.ifPresent(
                ended -> json.put(LOADED, ended.first()).put(READ, ended.read().toString()));
    }

    /** The inverse of {@link #write}, of all topics. An earlier version has not stored for how long one is spared. */
    static TopicGaps of(JsonNode position, JsonNode topics) {
        Set<String> skipped = new HashSet<>();
        Map<String, Duration> spares = new HashMap<>();
        topics.properties().forEach(topic -> {
            if (topic.getValue().path(SKIPPED).asBoolean()) {
                skipped.add(topic.getKey());
            }
            spares.put(
                    topic.getKey(),
                    Duration.ofMillis(topic.getValue().path(SPARES).asLong()));
        });
        Optional<Load> load = Optional.ofNullable(position.path(LOADED).textValue())
                .map(first -> new Load(first, Instant.parse(position.path(READ).asText())));
        return new TopicGaps(skipped, spares, load);
    }
}
