package dev.tidemark.worker.store;

/**
 * What a shard was built from. When any of it changes, the shard is worth nothing and is built again.
 *
 * @param topicId identity of the topic, which a topic made anew under the same name does not share
 * @param table key and partitions of the table, as text
 */
public record ShardOrigin(String topicId, String table) {}
