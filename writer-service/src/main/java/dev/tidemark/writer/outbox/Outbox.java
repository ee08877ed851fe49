package dev.tidemark.writer.outbox;

import java.util.List;

import dev.tidemark.writer.commit.CommittedChange;

/**
 * Changes that are committed, in sequence order, waiting to be published; and those published lately, kept so that they
 * can be published again. The relay alone calls the methods that change something.
 *
 * <p>Marks that the relay sets may be lost in a power cut, newest mark first. Then changes are published again, which
 * does no harm.
 */
public interface Outbox {
    /**
     * The changes after a sequence, in order, without the trimmed ones.
     *
     * @param maxEntries most changes, at least 1
     * @param maxBytes stop after the change with which they together reach this size; the first one always comes
     */
    List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes);

    /** Every change up to this sequence has been acknowledged by the log. */
    long publishedThrough();

    void markPublished(long sequence);

    /** Sees to it that not even a power cut undoes what has been marked so far. */
    void makeMarksDurable();

    /** Changes up to this sequence are gone from the outbox; 0 while it holds everything since the first. */
    long lowWaterMark();

    /** Drops the changes up to a sequence, which must have been published. */
    void trim(long throughSequence);
}
