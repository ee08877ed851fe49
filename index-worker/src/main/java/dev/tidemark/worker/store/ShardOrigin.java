package dev.tidemark.worker.store;

/**
 * What a shard was built from. When any of it changes, the shard is discarded and rebuilt.
 *
 * @param topicId identity of the topic, which changes when the topic is recreated under the same name
 * @param table key and partitions of the table, as text
 */
public record ShardOrigin(String topicId, String table) {}
