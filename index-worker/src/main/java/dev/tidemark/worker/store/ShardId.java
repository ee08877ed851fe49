package dev.tidemark.worker.store;

/**
 * A shard: the part of a table's indexes that one partition of its change topic feeds.
 *
 * @param table name of the fact table
 * @param partition partition of the topic, which is the hash shard of the rows; from 0
 */
public record ShardId(String table, int partition) implements Comparable<ShardId> {
    @Override
    public int compareTo(ShardId other) {
        int byTable = table.compareTo(other.table);
        return byTable != 0 ? byTable : Integer.compare(partition, other.partition);
    }

    /** {@code table-partition}, also the name of the shard's directory. */
    @Override
    public String toString() {
        return table + "-" + partition;
    }
}
