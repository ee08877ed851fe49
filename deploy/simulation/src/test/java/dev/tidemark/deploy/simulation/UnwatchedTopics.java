package dev.tidemark.deploy.simulation;

import java.util.Optional;

import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.TopicSpec;
import dev.tidemark.writer.outbox.TopicStatus;

/** Breaks {@link Rule#LOST_RECORDS_COME_AGAIN}: once there is a topic, it is always the same one and never too short. */
final class UnwatchedTopics implements ChangeTopics {
    private static final long ENOUGH = 1_000_000;

    private final SimulatedLog log;

    UnwatchedTopics(SimulatedLog log) {
        this.log = log;
    }

    @Override
    public Optional<TopicStatus> find(TopicSpec spec) {
        return log.find(spec).map(UnwatchedTopics::unchanged);
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

    private static TopicStatus unchanged(TopicStatus found) {
        return new TopicStatus(
                "topic",
                found.startOffsets(),
                found.endOffsets().stream().map(end -> end + ENOUGH).toList(),
                found.settings());
    }
}
