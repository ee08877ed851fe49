package dev.tidemark.worker.backfill;

import dev.tidemark.catalog.DesiredIndex;

/** Where it is ordered that the previous generation of an index goes. */
@FunctionalInterface
public interface GenerationCleanup {
    /**
     * Orders it, provided that the definitions are still of that version.
     *
     * @return whether they were
     * @throws RuntimeException when nobody answers
     */
    boolean retire(DesiredIndex index, long version) throws InterruptedException;
}
