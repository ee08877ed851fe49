package dev.tidemark.worker.apply;

import dev.tidemark.runtime.DurationCounts;

/**
 * How long the changes of one batch took from the commit to their visibility, and in which stage. Only for the applying
 * thread, during the call of the listener.
 */
public interface StageLatencies {
    /**
     * Name of the way before the first stage, of a table whose rows come from a source. It is measured at heartbeats,
     * by how much older the watermark of the source is, and is no part of the time from the commit of a change here.
     */
    String SOURCE = "source";

    /** From the commit of each change until it could be found. */
    DurationCounts totals();

    /** The time of each change in one stage; over all stages they add up to its total. */
    DurationCounts in(Stage stage);
}
