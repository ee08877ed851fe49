package dev.tidemark.worker.apply;

import dev.tidemark.runtime.DurationCounts;

/**
 * How long the changes of one batch took from commit to being found, and in which stage. For the applying thread, while it
 * is told of them.
 */
public interface StageLatencies {
    /** From the commit of each change until it could be found. */
    DurationCounts totals();

    /** The time of each change in one stage; over all stages they add up to its total. */
    DurationCounts in(Stage stage);
}
