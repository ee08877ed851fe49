package dev.tidemark.deploy.simulation;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.TopicSpec;
import dev.tidemark.writer.outbox.TopicStatus;

/** Breaks {@link Rule#LOST_RECORDS_COME_AGAIN}: once there is a topic, it is always the same one and never too short. */
final class UnwatchedTopics implements ChangeTopics {
    private final SimulatedLog log;
    private final Map<Integer, Long> longest = new TreeMap<>();

    UnwatchedTopics(SimulatedLog log) {
        this.log = log;
    }

    @Override
    public Optional<TopicStatus> find(TopicSpec spec) {
        return log.find(spec).map(this::unchanged);
    }

    @Override
    public TopicStatus create(TopicSpec spec) {
        TopicStatus made = log.create(spec);
        return new TopicStatus("topic", made.startOffsets(), made.endOffsets(), made.settings());
    }

    @Override
    public boolean delete(TopicSpec spec, TopicStatus found) {
        return log.delete(spec, found);
    }

    @Override
    public Optional<String> objection(TopicSpec spec, TopicStatus status) {
        return log.objection(spec, status);
    }

    private TopicStatus unchanged(TopicStatus found) {
        for (int partition = 0; partition < found.endOffsets().size(); partition++) {
            longest.merge(partition, found.endOffsets().get(partition), Math::max);
        }
        return new TopicStatus("topic", found.startOffsets(), List.copyOf(longest.values()), found.settings());
    }
}
