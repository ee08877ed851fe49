package dev.tidemark.worker.store;

import java.util.List;
import java.util.stream.IntStream;

import dev.tidemark.catalog.TableDefinition;

/**
 * A shard: the part of a table's indexes that one partition of its change topic feeds.
 *
 * @param table name of the fact table
 * @param partition partition of the topic, which is the hash shard of the rows; from 0
 */
public record ShardId(String table, int partition) implements Comparable<ShardId> {
    /** All shards of a table, in the order of partitions. */
    public static List<ShardId> allOf(TableDefinition table) {
        return IntStream.range(0, table.partitions())
                .mapToObj(partition -> new ShardId(table.name(), partition))
                .toList();
    }

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
