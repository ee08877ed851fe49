package dev.tidemark.writer.outbox;

import java.util.List;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;

/**
 * A topic that the relay writes to.
 *
 * @param definition its table, with the number of hash shards that was recorded when the table was first seen
 */
public record TopicSpec(TableDefinition definition) {
    public static List<TopicSpec> of(List<TableDefinition> tables) {
        return tables.stream().map(TopicSpec::new).toList();
    }

    /** Name of the fact table. */
    public String table() {
        return definition.name();
    }

    public int partitions() {
        return definition.partitions();
    }

    int partitionOf(KeyBytes key) {
        return definition.partitionOf(key);
    }
}
