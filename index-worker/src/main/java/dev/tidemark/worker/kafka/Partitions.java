package dev.tidemark.worker.kafka;

import java.util.Collection;
import java.util.List;

import org.apache.kafka.common.TopicPartition;

import dev.tidemark.change.ChangeTopic;
import dev.tidemark.worker.store.ShardId;

/** Shards ⇄ partitions. */
final class Partitions {
    private static final String PREFIX = ChangeTopic.nameFor("");

    private Partitions() {}

    static TopicPartition of(ShardId shard) {
        return new TopicPartition(ChangeTopic.nameFor(shard.table()), shard.partition());
    }

    static List<TopicPartition> of(Collection<ShardId> shards) {
        return shards.stream().map(Partitions::of).toList();
    }

    static ShardId shard(TopicPartition partition) {
        return new ShardId(partition.topic().substring(PREFIX.length()), partition.partition());
    }

    static List<ShardId> shards(Collection<TopicPartition> partitions) {
        return partitions.stream().map(Partitions::shard).toList();
    }
}
