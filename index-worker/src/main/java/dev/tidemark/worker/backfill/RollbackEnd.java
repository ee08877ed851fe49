package dev.tidemark.worker.backfill;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.TableDefinition;

/** Determines when the window for a rollback ends, by all workers that may answer from the index. */
@FunctionalInterface
public interface RollbackEnd {
    /** When the window ends; empty while it has not begun somewhere, or that is not known. */
    Optional<Instant> end(TableDefinition table, DesiredIndex index);
}
