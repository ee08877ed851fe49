package dev.tidemark.deploy.drill.fault;

import java.time.Instant;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.drill.target.TopicTamper.TamperFailedException;
import dev.tidemark.deploy.stack.Role;

/**
 * The worker is away while writes go on, and before it comes back all records of its topics are deleted, read or not.
 * It has to report that, and must not open a shard that has not read them. The writer has to recreate the topics.
 */
final class RetentionLoss implements Fault {
    private static final String SAID = " are gone, and it has not read them";

    private final FaultContext context;
    private final FreshLog log;
    private boolean gone;
    private boolean said;

    RetentionLoss(FaultContext context) {
        this.context = context;
        this.log = new FreshLog(context.stack().child(Role.WORKER));
    }

    @Override
    public boolean begin(Role role, Instant now) throws InterruptedException {
        gone = false;
        said = false;
        return context.supervisor().kill(Role.WORKER, Instant.MAX);
    }

    @Override
    public boolean end(Instant now) throws TamperFailedException, InterruptedException {
        if (!gone) {
            for (TableDefinition table : context.tables()) {
                context.tamper().forget(table);
            }
            gone = true;
            log.read();
            context.supervisor().mayComeBack(Role.WORKER);
        }
        said |= log.read().contains(SAID);
        return context.supervisor().isReady();
    }

    @Override
    public boolean hasHit() {
        return said;
    }
}
