package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.drill.target.TopicTamper.TamperFailedException;
import dev.tidemark.deploy.stack.Role;

/** Topics get one more partition than their tables have; each once, because there is no way back. */
final class MorePartitions implements Fault {
    private final TopicTamper tamper;
    private final List<TableDefinition> tables;
    private final Set<TableDefinition> raised = new HashSet<>();

    MorePartitions(TopicTamper tamper, List<TableDefinition> tables) {
        this.tamper = tamper;
        this.tables = tables;
    }

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        for (TableDefinition table : tables) {
            if (!raised.contains(table)) {
                try {
                    tamper.addPartition(table);
                    raised.add(table);
                    return true;
                } catch (TamperFailedException e) {
                    return false;
                }
            }
        }
        return false;
    }
}
