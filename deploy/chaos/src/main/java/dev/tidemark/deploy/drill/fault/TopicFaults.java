package dev.tidemark.deploy.drill.fault;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.drill.target.TopicTamper.TamperFailedException;

/** What happens to the topics of some tables. */
record TopicFaults(TopicTamper tamper, List<TableDefinition> tables) {
    /** A topic takes smaller records than there are. */
    static final Map<String, String> SMALL = Map.of("max.message.bytes", "120");

    /** Every record but the newest ones goes within moments of being replaced. */
    static final Map<String, String> COMPACTED = Map.of(
            "segment.ms", "500",
            "min.cleanable.dirty.ratio", "0.001",
            "min.compaction.lag.ms", "2000",
            "max.compaction.lag.ms", "2500");

    /** The same at once, and tombstones go after a second. */
    static final Map<String, String> FORGETFUL = Map.of(
            "segment.ms", "500",
            "min.cleanable.dirty.ratio", "0.001",
            "min.compaction.lag.ms", "0",
            "max.compaction.lag.ms", "2500",
            "delete.retention.ms", "1000");

    /** The topics have other settings for a while. */
    Fault configured(Map<String, String> settings) {
        Map<TableDefinition, Map<String, String>> before = new LinkedHashMap<>();
        return Fault.lasting(
                (role, now) -> {
                    try {
                        for (TableDefinition table : tables) {
                            before.put(table, tamper.configure(table, settings));
                        }
                        return true;
                    } catch (TamperFailedException e) {
                        // What was changed all the same is put right at the end.
                        return !before.isEmpty();
                    }
                },
                now -> {
                    for (TableDefinition table : List.copyOf(before.keySet())) {
                        tamper.configure(table, before.getOrDefault(table, Map.of()));
                        before.remove(table);
                    }
                    return true;
                });
    }

    /** A topic gets one more partition than its table has. Each topic gets one once, because there is no way back. */
    Fault morePartitions() {
        Deque<TableDefinition> left = new ArrayDeque<>(tables);
        return (role, now) -> {
            if (left.isEmpty()) {
                return false;
            }
            tamper.addPartition(left.getFirst());
            left.removeFirst();
            return true;
        };
    }
}
