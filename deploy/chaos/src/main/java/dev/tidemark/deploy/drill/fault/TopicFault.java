package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.drill.target.TopicTamper.TamperFailedException;
import dev.tidemark.deploy.stack.Role;

/** The topics of some tables have other settings for a while. */
final class TopicFault implements Fault {
    /** Every record but the newest ones goes within moments of being replaced. */
    private static final Map<String, String> COMPACTED = Map.of(
            "segment.ms", "500",
            "min.cleanable.dirty.ratio", "0.001",
            "min.compaction.lag.ms", "2000",
            "max.compaction.lag.ms", "2500");

    private final TopicTamper tamper;
    private final List<TableDefinition> tables;
    private final Map<String, String> settings;
    private final Map<TableDefinition, Map<String, String>> before = new LinkedHashMap<>();

    private TopicFault(TopicTamper tamper, List<TableDefinition> tables, Map<String, String> settings) {
        this.tamper = tamper;
        this.tables = tables;
        this.settings = settings;
    }

    /** Limits the size of a record in the topics, in bytes. */
    static TopicFault taking(TopicTamper tamper, List<TableDefinition> tables, int mostBytes) {
        return new TopicFault(tamper, tables, Map.of("max.message.bytes", Integer.toString(mostBytes)));
    }

    /** Compacts the topics all the time. */
    static TopicFault compacting(TopicTamper tamper, List<TableDefinition> tables) {
        return new TopicFault(tamper, tables, COMPACTED);
    }

    /** Compacts the topics all the time and removes tombstones after a time in milliseconds. */
    static TopicFault forgetting(TopicTamper tamper, List<TableDefinition> tables, int millis) {
        Map<String, String> more = new LinkedHashMap<>(COMPACTED);
        more.put("min.compaction.lag.ms", "0");
        more.put("delete.retention.ms", Integer.toString(millis));
        return new TopicFault(tamper, tables, Map.copyOf(more));
    }

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        try {
            for (TableDefinition table : tables) {
                before.put(table, tamper.configure(table, settings));
            }
            return true;
        } catch (TamperFailedException e) {
            // What was changed all the same is put right at the end.
            return !before.isEmpty();
        }
    }

    @Override
    public boolean end() throws InterruptedException {
        try {
            for (Map.Entry<TableDefinition, Map<String, String>> one :
                    Map.copyOf(before).entrySet()) {
                tamper.configure(one.getKey(), one.getValue());
                before.remove(one.getKey());
            }
            return true;
        } catch (TamperFailedException e) {
            return false;
        }
    }
}
