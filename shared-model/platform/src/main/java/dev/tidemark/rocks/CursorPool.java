package dev.tidemark.rocks;

import java.util.ArrayDeque;
import java.util.Deque;

import org.jspecify.annotations.Nullable;

/**
 * The cursors of one table that wait for another scan. One that waits keeps memory and files that the table has
 * replaced since its last scan, so they are few, and {@link #closeUnused} closes those that are not needed. For any
 * thread.
 */
final class CursorPool {
    /** Enough for the threads that answer without waiting, and some others. */
    private static final int MOST = 4;

    /** The one that was used last comes first. */
    private final Deque<RocksCursor> waiting = new ArrayDeque<>(MOST);

    /** How many have waited ever since the last call of {@link #closeUnused}. */
    private int unused;

    private long taken;
    private boolean closed;

    /** A cursor to use alone; null when none waits. */
    synchronized @Nullable RocksCursor take() {
        taken++;
        RocksCursor first = waiting.pollFirst();
        unused = Math.min(unused, waiting.size());
        return first;
    }

    /** How many scans have asked for a cursor. */
    synchronized long taken() {
        return taken;
    }

    /** Takes a cursor that a scan no longer needs. */
    synchronized void giveBack(RocksCursor cursor) {
        if (closed || waiting.size() == MOST) {
            cursor.close();
        } else {
            waiting.addFirst(cursor);
        }
    }

    /** How many wait. */
    synchronized int waiting() {
        return waiting.size();
    }

    /** Closes the cursors that no scan has needed since the last call. */
    synchronized void closeUnused() {
        for (; unused > 0; unused--) {
            waiting.removeLast().close();
        }
        unused = waiting.size();
    }

    /** Closes the cursors, and from now on each that comes back. */
    synchronized void close() {
        closed = true;
        waiting.forEach(RocksCursor::close);
        waiting.clear();
        unused = 0;
    }
}
