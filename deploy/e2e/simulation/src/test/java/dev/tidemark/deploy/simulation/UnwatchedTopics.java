package dev.tidemark.deploy.simulation;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicStatus;

/**
 * Breaks {@link Rule#LOST_RECORDS_COME_AGAIN}: once there is a topic, it is always the same one and never too short.
 */
final class UnwatchedTopics implements ChangeTopics {
    private final SimulatedTopics topics;
    private final Map<String, Map<Integer, Long>> longest = new HashMap<>();

    UnwatchedTopics(SimulatedTopics topics) {
        this.topics = topics;
    }

    @Override
    public Optional<TopicStatus> find(TableDefinition spec) throws PublishException {
        return topics.find(spec).map(found -> unchanged(spec.name(), found));
    }

    @Override
    public TopicStatus create(TableDefinition spec) throws PublishException {
        TopicStatus made = topics.create(spec);
        return new TopicStatus("topic", made.startOffsets(), made.endOffsets(), made.settings());
    }

    @Override
    public boolean delete(TableDefinition spec, TopicStatus found) throws PublishException {
        TopicStatus known =
                DerivedTable.is(spec.name()) ? topics.of(spec.name()).find().orElse(found) : found;
        return topics.delete(spec, known);
    }

    @Override
    public Optional<String> objection(TableDefinition spec, TopicStatus status) {
        return topics.objection(spec, status);
    }

    private TopicStatus unchanged(String table, TopicStatus found) {
        Map<Integer, Long> ends = longest.computeIfAbsent(table, unseen -> new TreeMap<>());
        for (int partition = 0; partition < found.endOffsets().size(); partition++) {
            ends.merge(partition, found.endOffsets().get(partition), Math::max);
        }
        return new TopicStatus("topic", found.startOffsets(), List.copyOf(ends.values()), found.settings());
    }
}
