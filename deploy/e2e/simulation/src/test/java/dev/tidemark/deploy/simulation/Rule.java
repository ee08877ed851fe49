package dev.tidemark.deploy.simulation;

/**
 * A rule of the design that a run can break on purpose, to see that the checks notice. Breaking is done by what stands
 * around the production classes here: their ports, and what they are told.
 */
enum Rule {
    /** Everything is as it should be. */
    NONE_BROKEN,
    /** The worker applies an event whatever version it has seen of the row. */
    CHECK_THE_VERSION,
    /** The worker takes from the event, not from its own row state, what the row was before. */
    TRUST_NO_BEFORE_IMAGE,
    /** The worker forgets which version deleted a row. */
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
    /** A fact table that has gone back in time goes on as if nothing had happened. */
    ANOTHER_EPOCH_FOR_A_LOST_TAIL,
    /** Readers are given a generation as soon as one shard has it ready, or is built again with it. */
    READY_ONLY_WHEN_ALL_SHARDS_ARE,
    /** A write is answered before it is synced, and a power cut takes it. */
    SYNC_BEFORE_THE_ANSWER,
    /** A change counts as published when it is handed over, not when the log has it. */
    PUBLISHED_WHEN_ACKNOWLEDGED,
    /** A change leaves the outbox when it is sent. */
    TRIM_ONLY_WHAT_IS_PUBLISHED,
    /** The writer spreads rows over the partitions that the topic has now. */
    PARTITIONS_AS_RECORDED,
    /** Lag is taken to be zero when a worker has read all of its partition, whatever waits in the outbox. */
    LAG_BEGINS_AT_THE_COMMIT,
    /** No change is taken to be unapplied when no record waits, whatever waits in the outbox. */
    WHAT_IS_NOT_PUBLISHED_IS_UNAPPLIED,
    /** A partition that could not be read goes on at its end. */
    A_FAILED_READ_PASSES_NOTHING,
    /** The lag of a table is told as the mean of its partitions. */
    THE_WORST_PARTITION_COUNTS,
    /** A generation is ready as soon as it is built, without a proof. */
    PROVEN_BEFORE_READ,
    /** Readers are given the newest generation, whether or not it is built. */
    BUILT_BEFORE_READ,
    /** What a switch of generations stored can be lost after its files are gone. */
    THE_SWITCH_IS_DURABLE,
    /** A repair takes the entries of a row away instead of applying the row. */
    REPAIR_IS_APPLYING,
    /** A shard that has been taken away goes on answering, with the age it had. */
    SILENT_WHEN_REVOKED,
    /** An answer that names a quarantined row takes no account of how far its shards are behind. */
    POISON_EXCUSES_NO_OTHER_ROW,
    /** A record that cannot be applied is passed over and not kept. */
    POISON_IS_LISTED,
    /** Deletes are passed over. */
    DELETES_ARE_CHANGES,
    /** A row that moves to another key stays under the old one too. */
    OLD_ENTRIES_GO,
    /** A shard that reads its topic again says how complete it is on the way. */
    SILENT_WHILE_RESTORING,
    /** A shard that was away for very long goes on from where it was. */
    REBUILT_AFTER_LONG_ABSENCE,
    /** A shard whose place in the log is gone goes on with the next record there is. */
    A_LOST_PLACE_MEANS_A_REBUILD,
    /** A topic that was made anew is taken for the old one by its worker. */
    A_TOPIC_HAS_AN_IDENTITY,
    /** The relay does not look whether a topic has lost records. */
    LOST_RECORDS_COME_AGAIN,
    /** A shard goes on from what is left of a topic whose oldest records are gone, read or not. */
    GONE_RECORDS_ARE_NOT_PASSED_OVER,
    /** The relay looks only at the last offset of what it published at once. */
    FIRST_OFFSETS_COUNT_TOO,
    /**
     * The relay compares ends only, though records that were not acknowledged may stand where acknowledged ones were.
     */
    UNACKNOWLEDGED_RECORDS_HIDE_NO_LOSS,
    /** The relay does not notice records that come after newer ones, or from somebody else. */
    LATE_RECORDS_ARE_PUBLISHED_OVER,
    /** The relay does not look whether a topic has lost its oldest records. */
    A_CURTAILED_TOPIC_IS_MADE_ANEW,
    /** A worker that was started again does not wait for what a token asks for. */
    TOKENS_OUTLIVE_A_RESTART,
    /** Clocks stand still while their machine is suspended. */
    SUSPENDED_TIME_COUNTS,
    /** Shards that are built from nothing are left out of answers, and the answers do not say so. */
    RESTORING_SHARDS_ARE_NAMED,
    /** A generation answers from a shard that was built again, whether or not it was ever proven. */
    A_REBUILD_IS_NO_PROOF,
    /** The word that all is complete overtakes the changes that it is about. */
    HEARTBEATS_COME_LAST,
    /** A worker that is asked by another answers from what it has of the partitions, as if that were all. */
    A_STALE_ROUTE_IS_REFUSED,
    /** What the worker before noted of a partition stays when another one gets it. */
    A_NOTE_ENDS_WITH_ITS_OWNER,
    /** A token of an epoch that is over is answered as if there were none. */
    A_TOKEN_OF_A_LOST_EPOCH_IS_REFUSED,
    /** A worker that has not heard of an epoch refuses its tokens, as if they were of one that is over. */
    A_TOKEN_OF_AN_UNHEARD_EPOCH_IS_WAITED_FOR,
    /** The next page asks for nothing that the page before held. */
    A_CURSOR_KNOWS_WHAT_WAS_SEEN,
    /** An answer of several workers is told to be as fresh as what is here. */
    THE_STALEST_PART_COUNTS,
    /** A source is said to be complete before all that it had committed by then is in the fact table. */
    A_SOURCE_IS_COMPLETE_WHEN_ALL_IS_COMMITTED,
    /** The commit time of a row that comes from a source is taken for what is complete of the source. */
    COMMIT_TIMES_SAY_NOTHING_OF_A_SOURCE,
    /** A watermark of a source is published before the changes that it is about. */
    A_SOURCES_WATERMARK_FOLLOWS_ITS_CHANGES,
    /** What a shard was, which answers while it is built again, is told to be fresher than it is. */
    WHAT_A_SHARD_WAS_TELLS_ITS_AGE,
    /** The word that all is complete comes to a layout before all rows are there. */
    A_LAYOUT_SPEAKS_ONCE_IT_IS_FULL,
    /** A commit of a shard that failed is taken for one that was done, and the shard goes on from there. */
    A_FAILED_COMMIT_ENDS_THE_APPLIER,
    /** A client is told that the row to delete is not there, and nothing is done. */
    WHAT_WAS_NOT_FOUND_WAS_NOT_THERE,
    /** A batch is committed in two, so that some of an atomic request may be there and the rest not. */
    AN_ATOMIC_REQUEST_IS_ONE_COMMIT,
    /** A precondition is checked when a write is handed in, and not when it is carried out. */
    CONDITIONS_HOLD_AT_THE_COMMIT,
    /** A commit does not check that its writer holds the right, nor where commit order stands. */
    COMMITS_CHECK_THE_ROW,
    /** A commit whose connection was lost is taken for one that failed. */
    AN_UNKNOWN_OUTCOME_IS_FOUND_OUT,
    /** A writer that takes over publishes before it has asked what topics hold, and what was lost. */
    A_TAKE_OVER_SETTLES_FIRST,
    /** A writer that takes over trusts the clock of its own machine. */
    THE_CLOCK_IS_TAKEN_OVER;

    /** Those that need a table that follows a source. */
    boolean isOfASource() {
        return compareTo(A_SOURCE_IS_COMPLETE_WHEN_ALL_IS_COMMITTED) >= 0
                && compareTo(A_SOURCES_WATERMARK_FOLLOWS_ITS_CHANGES) <= 0;
    }

    /** Those that need two writers of one database. */
    boolean isOfTwoWriters() {
        return compareTo(COMMITS_CHECK_THE_ROW) >= 0;
    }
}
