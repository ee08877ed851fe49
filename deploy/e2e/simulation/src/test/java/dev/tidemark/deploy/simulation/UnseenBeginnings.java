package dev.tidemark.deploy.simulation;

import java.util.List;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.shard.PartitionInfoSource;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.PublishException;
import dev.tidemark.writer.outbox.TopicStatus;

/**
 * Breaks {@link Rule#GONE_RECORDS_ARE_NOT_PASSED_OVER} at the worker and {@link Rule#A_CURTAILED_TOPIC_IS_MADE_ANEW} at
 * the writer: every topic seems to begin with its first record.
 */
final class UnseenBeginnings implements ChangeTopics, PartitionInfoSource {
    private final SimulatedTopics topics;

    UnseenBeginnings(SimulatedTopics topics) {
        this.topics = topics;
    }

    @Override
    public PartitionInfo ask(ShardId shard) {
        PartitionInfo fact = topics.ask(shard);
        return new PartitionInfo(fact.topicId(), 0, fact.endOffset(), fact.deleteRetention(), fact.compactionLag());
    }

    @Override
    public Optional<TopicStatus> find(TableDefinition spec) throws PublishException {
        return topics.find(spec).map(UnseenBeginnings::whole);
    }

    @Override
    public TopicStatus create(TableDefinition spec) throws PublishException {
        return topics.create(spec);
    }

    @Override
    public boolean delete(TableDefinition spec, TopicStatus found) throws PublishException {
        return topics.delete(spec, found);
    }

    @Override
    public Optional<String> objection(TableDefinition spec, TopicStatus status) {
        return topics.objection(spec, status);
    }

    private static TopicStatus whole(TopicStatus found) {
        List<Long> zeros = found.startOffsets().stream().map(start -> 0L).toList();
        return new TopicStatus(found.id(), zeros, found.endOffsets(), found.settings());
    }
}
