package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.catalog.RowSource;
import dev.tidemark.row.RowVersion;

/** The outcome of one command. */
public sealed interface CommitOutcome {
    /** Whether the command changed the fact table. */
    default boolean applied() {
        return this instanceof Written || this instanceof Deleted;
    }

    /**
     * The row is there as asked.
     *
     * @param version the row's new version
     * @param partition the row's hash shard
     * @param created whether there was no such row before
     */
    record Written(RowVersion version, int partition, boolean created) implements CommitOutcome {}

    /**
     * The row is gone.
     *
     * @param version version of the delete
     * @param partition the row's hash shard
     */
    record Deleted(RowVersion version, int partition) implements CommitOutcome {}

    /** There is no such row to patch or delete. */
    record NotFound() implements CommitOutcome {}

    /**
     * The precondition did not hold.
     *
     * @param expected what it asked for
     * @param current the row's version; empty where there is no row
     */
    record PreconditionFailed(String expected, Optional<RowVersion> current) implements CommitOutcome {}

    /**
     * The row is not acceptable.
     *
     * @param kind what is wrong with it
     * @param detail what was expected and found, fit for the sender
     */
    record Refused(RowRefusedException.Kind kind, String detail) implements CommitOutcome {}

    /**
     * The changes of a source do not go on from where it stands. It is the only outcome of its request.
     *
     * @param current where it stands; empty before its first changes
     */
    record PositionMoved(Optional<SourcePosition> current) implements CommitOutcome {}

    /**
     * The changes of a source delete rows from before a version, and the writer has committed rows once more since. It
     * is the only outcome of its request.
     *
     * @param through the last version that such a row got
     */
    record Restated(RowVersion through) implements CommitOutcome {}

    /**
     * A source names a table that the stored watermark is not about, and has no watermark that is as late. It is the
     * only outcome of its request.
     *
     * @param stored the watermark so far
     */
    record WatermarkTooEarly(Optional<Instant> stored) implements CommitOutcome {}

    /**
     * The changes of a source keep members of more rows than fit into a batch. It is the only outcome of its request.
     *
     * @param most bytes of such rows from which on a batch takes no further one
     */
    record TooMuchKept(long most) implements CommitOutcome {}

    /**
     * The rows of the table come from a source alone.
     *
     * @param source where from
     */
    record Followed(RowSource source) implements CommitOutcome {}

    /** Nothing is wrong with the command, but there is no memory left to carry it out now. */
    record NoMemory() implements CommitOutcome {}

    /** Nothing is wrong with the command, but another one of the same atomic request could not be done. */
    record Abandoned() implements CommitOutcome {}
}
