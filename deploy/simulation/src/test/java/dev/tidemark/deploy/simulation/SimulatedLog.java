package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.worker.consume.TopicWatchAgent;
import dev.tidemark.worker.lifecycle.TopicFacts;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.writer.outbox.ChangeTopics;
import dev.tidemark.writer.outbox.TopicSpec;
import dev.tidemark.writer.outbox.TopicStatus;

/** The change topic of one table, as writer and worker see it. */
final class SimulatedLog implements ChangeTopics, TopicWatchAgent.Topics, TopicFacts {
    /** Records younger than this are not compacted; in production an hour. */
    static final Duration MIN_COMPACTION_LAG = Duration.ofHours(1);

    /** Tombstones older than this are dropped; in production a week. */
    static final Duration TOMBSTONE_RETENTION = Duration.ofDays(7);

    private static final String TOPIC_ID = "topic-1";

    private final TableDefinition table;
    private final ManualClock clock;
    private final List<SimulatedPartition> partitions = new ArrayList<>();

    SimulatedLog(TableDefinition table, ManualClock clock) {
        this.table = table;
        this.clock = clock;
    }

    List<SimulatedPartition> partitions() {
        return partitions;
    }

    void compact(Chance chance) {
        partitions.forEach(partition ->
                partition.compact(clock.instant(), MIN_COMPACTION_LAG, TOMBSTONE_RETENTION, chance.random()));
    }

    @Override
    public Optional<TopicStatus> find(TopicSpec spec) {
        return partitions.isEmpty() ? Optional.empty() : Optional.of(status());
    }

    @Override
    public TopicStatus create(TopicSpec spec) {
        IntStream.range(0, spec.partitions()).forEach(i -> partitions.add(new SimulatedPartition()));
        return status();
    }

    @Override
    public Optional<String> objection(TopicSpec spec, TopicStatus status) {
        return Optional.empty();
    }

    @Override
    public Map<String, Topic> describe(Set<String> tables) {
        return partitions.isEmpty() ? Map.of() : Map.of(table.name(), new Topic(TOPIC_ID, partitions.size()));
    }

    @Override
    public Fact ask(ShardId shard) {
        return new Fact(TOPIC_ID, partitions.get(shard.partition()).endOffset());
    }

    private TopicStatus status() {
        List<Long> ends = partitions.stream().map(SimulatedPartition::endOffset).collect(Collectors.toList());
        return new TopicStatus(TOPIC_ID, ends, Map.of());
    }
}
