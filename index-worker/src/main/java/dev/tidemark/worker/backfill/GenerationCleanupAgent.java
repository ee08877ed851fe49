package dev.tidemark.worker.backfill;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.runtime.Agent;

/**
 * Requests the removal of the previous generation of an index once its rollback window is over. The window ends when
 * the current generation has been ready for long enough in every shard of every replica group. Each worker looks at its
 * own shards first, and asks the others once these are ready for long enough. The first request counts.
 */
public final class GenerationCleanupAgent implements Agent {
    private static final Logger LOGGER = LoggerFactory.getLogger(GenerationCleanupAgent.class);
    private static final Duration LOOK_EVERY = Duration.ofSeconds(1);

    private final Supplier<Definitions> inForce;
    private final GenerationCleanup retirement;
    private final RollbackWindow window;
    private final RollbackEnd everywhere;
    private final Clock clock;
    private final Map<String, String> reasons = new HashMap<>();
    private Instant next = Instant.MIN;

    /** An agent that has not checked any window yet. */
    public GenerationCleanupAgent(
            Supplier<Definitions> inForce,
            GenerationCleanup retirement,
            RollbackWindow window,
            RollbackEnd everywhere,
            Clock clock) {
        this.inForce = inForce;
        this.retirement = retirement;
        this.window = window;
        this.everywhere = everywhere;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "retire";
    }

    @Override
    public int doWork() throws InterruptedException {
        if (clock.instant().isBefore(next)) {
            return 0;
        }
        next = clock.instant().plus(LOOK_EVERY);
        Definitions definitions = inForce.get();
        for (DesiredTable table : definitions.tables()) {
            for (DesiredIndex index : table.indexes()) {
                if (index.previous().isPresent() && retire(table, index, definitions.version())) {
                    return 1;
                }
            }
        }
        return 0;
    }

    /** Requests the removal where the window is over; false where it is not, or the request failed. */
    private boolean retire(DesiredTable table, DesiredIndex index, long version) throws InterruptedException {
        String name = index.current().definition().qualifiedName();
        try {
            if (!isOver(table, index)) {
                return false;
            }
            if (retirement.retire(index, version)) {
                reasons.remove(name);
                LOGGER.info(
                        "The generation before {} of {} goes", index.current().id(), name);
            }
            return true;
        } catch (RuntimeException e) {
            report(name, String.valueOf(e.getMessage()));
            return false;
        }
    }

    /** Writes why a generation stays, where that has changed. */
    private void report(String index, String reason) {
        if (!reason.equals(reasons.put(index, reason))) {
            LOGGER.warn("The previous generation of {} stays for now: {}", index, reason);
        }
    }

    private boolean isOver(DesiredTable table, DesiredIndex index) {
        return isOver(window.end(table.definition(), index)) && isOver(everywhere.end(table.definition(), index));
    }

    private boolean isOver(Optional<Instant> end) {
        return end.filter(time -> !clock.instant().isBefore(time)).isPresent();
    }
}
