package dev.tidemark.worker.apply;

import dev.tidemark.runtime.Durations;

/**
 * How long the changes of one batch took from commit to being found, and in which stage. For the applying thread, while it
 * is told of them.
 */
public interface Passages {
    /** From the commit of each change until it could be found. */
    Durations totals();

    /** The time of each change in one stage; over all stages they add up to its total. */
    Durations in(Stage stage);
}
