package dev.tidemark.deploy.simulation;

/** A rule of the design that a run can break on purpose, to see that the checks notice. */
enum Rule {
    /** Everything is as it should be. */
    NONE_BROKEN,
    /** The worker applies an event whatever version it has seen of the row. */
    CHECK_THE_VERSION,
    /** The worker takes from the event, not from its own row state, what the row was before. */
    TRUST_NO_BEFORE_IMAGE,
    /** The worker keeps nothing of a deleted row. */
    REMEMBER_TOMBSTONES,
    /** The worker stores the position before, and apart from, what it stands for. */
    OFFSET_IN_THE_SAME_BATCH,
    /** The relay goes on after a send that failed. */
    NEVER_PAST_A_GAP,
    /** The worker measures the age of the writer's times by its own clock. */
    MEASURE_ON_THE_WRITERS_CLOCK,
    /** The writer stamps commits with whatever the clock of its machine shows. */
    THE_COMMIT_CLOCK_GOES_ON,
    /** A row that was read again is taken for the current one, whatever its version. */
    COPY_ONLY_THE_CURRENT_VERSION,
    /** A build stores how far it is before, and apart from, the rows. */
    COPY_POSITION_IN_THE_SAME_BATCH,
    /** The writer stores what its tables give to the digests after, and apart from, the rows. */
    DIGESTS_IN_THE_SAME_BATCH,
    /** Readers are given a generation as soon as one shard has it ready. */
    READY_ONLY_WHEN_ALL_SHARDS_ARE
}
