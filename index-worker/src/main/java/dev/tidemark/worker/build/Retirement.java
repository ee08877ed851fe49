package dev.tidemark.worker.build;

import dev.tidemark.catalog.IndexPlan;

/** Where it is ordered that the previous generation of an index goes. */
@FunctionalInterface
public interface Retirement {
    /**
     * Orders it, provided that the definitions are still of that version.
     *
     * @return whether they were
     * @throws RuntimeException when nobody answers
     */
    boolean retire(IndexPlan index, long version) throws InterruptedException;
}
