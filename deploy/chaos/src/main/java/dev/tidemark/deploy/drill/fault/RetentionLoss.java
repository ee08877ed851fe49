package dev.tidemark.deploy.drill.fault;

import java.time.Instant;
import java.util.List;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.target.TopicTamper;
import dev.tidemark.deploy.drill.target.TopicTamper.TamperFailedException;
import dev.tidemark.deploy.stack.Role;

/**
 * The worker is away while writes go on, and before it comes back all records of its topics are deleted, read or not.
 * It has to report that, and must not open a shard that has not read them. The writer has to recreate the topics.
 */
final class RetentionLoss implements Fault {
    private static final String SAID = " are gone, and it has not read them";

    private final ProcessSupervisor supervisor;
    private final FreshLog log;
    private final TopicTamper tamper;
    private final List<TableDefinition> tables;
    private boolean gone;
    private boolean said;

    /** That is done to the worker which prints this log. */
    RetentionLoss(ProcessSupervisor supervisor, FreshLog log, TopicTamper tamper, List<TableDefinition> tables) {
        this.supervisor = supervisor;
        this.log = log;
        this.tamper = tamper;
        this.tables = tables;
    }

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        gone = false;
        said = false;
        return supervisor.kill(Role.WORKER, Instant.MAX);
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
                supervisor.mayComeBack(Role.WORKER);
            }
            said |= log.read().contains(SAID);
            return supervisor.isReady();
        } catch (TamperFailedException e) {
            return false;
        }
    }

    @Override
    public boolean hasHit() {
        return said;
    }
}
