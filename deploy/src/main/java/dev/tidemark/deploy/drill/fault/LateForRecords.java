package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeTopic;
import dev.tidemark.deploy.drill.outside.TopicTamper;
import dev.tidemark.deploy.drill.outside.TopicTamper.TamperFailedException;
import dev.tidemark.deploy.stack.Role;

/**
 * The worker is away while writes go on, and before it comes back all records of its topics go, read or not. It has to say so
 * and to name the topics, which are deleted then, as it asks for.
 */
final class LateForRecords implements Ordeal {
    private final Crew crew;
    private final FreshLog log;
    private final TopicTamper tamper;
    private final List<TableDefinition> tables;
    private final List<TableDefinition> kept = new ArrayList<>();
    private boolean gone;

    /** That is done to the worker which prints this log. */
    LateForRecords(Crew crew, FreshLog log, TopicTamper tamper, List<TableDefinition> tables) {
        this.crew = crew;
        this.log = log;
        this.tamper = tamper;
        this.tables = tables;
    }

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        gone = false;
        kept.clear();
        kept.addAll(tables);
        return crew.kill(Role.WORKER, Instant.MAX);
    }

    @Override
    public boolean end() throws InterruptedException {
        try {
            if (!gone) {
                for (TableDefinition table : tables) {
                    tamper.forget(table);
                }
                gone = true;
                log.read();
                crew.mayComeBack(Role.WORKER);
            }
            String said = log.read();
            for (TableDefinition table : List.copyOf(kept)) {
                if (said.contains("delete topic " + ChangeTopic.nameFor(table.name()) + ",")) {
                    tamper.delete(table);
                    kept.remove(table);
                }
            }
            return crew.isReady();
        } catch (TamperFailedException e) {
            return false;
        }
    }

    @Override
    public boolean hasHit() {
        return kept.size() < tables.size();
    }
}
