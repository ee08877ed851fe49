package dev.tidemark.worker.backfill;

import dev.tidemark.catalog.DesiredIndex;

/** Requests the removal of the previous generation of an index. */
@FunctionalInterface
public interface GenerationCleanup {
    /**
     * Requests the removal, provided that the definitions still have that version.
     *
     * @return whether they still have it
     * @throws RuntimeException when the writer does not answer
     */
    boolean retire(DesiredIndex index, long version) throws InterruptedException;
}
