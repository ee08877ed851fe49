package dev.tidemark.source.feed;

import java.util.Comparator;

/**
 * Where an event is in the stream of a database. Commits follow each other by {@code base}, events of a transaction
 * by {@code lsn}; the LSN alone does not follow the order of commits. Several events may have one LSN: rows of a
 * COPY, both halves of a changed key.
 *
 * @param base end of the commit before the transaction; 0 where it is not known, before the first commit of a stream
 * @param lsn of the event
 * @param number of the event among those of its LSN, from 0
 */
public record EventOrder(long base, long lsn, int number) implements Comparable<EventOrder> {
    /** Before every event. */
    public static final EventOrder START = new EventOrder(0, 0, -1);

    private static final Comparator<EventOrder> ORDER = Comparator.comparingLong(EventOrder::base)
            .thenComparingLong(EventOrder::lsn)
            .thenComparingInt(EventOrder::number);

    @Override
    public int compareTo(EventOrder other) {
        return ORDER.compare(this, other);
    }

    /** That of the next event, which has this base and LSN. */
    EventOrder next(long nextBase, long nextLsn) {
        boolean same = base == nextBase && lsn == nextLsn;
        return new EventOrder(nextBase, nextLsn, same ? number + 1 : 0);
    }
}
