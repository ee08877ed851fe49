package dev.tidemark.writer.outbox;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * A walk over tombstones, oldest first. There may be millions that are not wanted, and nothing is published meanwhile,
 * so each step looks at a bounded number. For the relay alone.
 */
final class TombstoneWalk {
    static final int MOST_LOOKED_AT = 1_000;

    private final Tombstones tombstones;
    private final Deque<Tombstone> ahead = new ArrayDeque<>();
    private Optional<Tombstone> last = Optional.empty();
    private boolean isAllRead;

    TombstoneWalk(Tombstones tombstones) {
        this.tombstones = tombstones;
    }

    /**
     * The next ones that are wanted. There may be none of them in one step and some in the next.
     *
     * @param until only deletes committed at or before this time
     * @param most of them
     */
    List<Tombstone> step(Instant until, Predicate<Tombstone> wanted, int most) {
        if (ahead.isEmpty()) {
            ahead.addAll(tombstones.due(until, last, MOST_LOOKED_AT));
            isAllRead = ahead.size() < MOST_LOOKED_AT;
        }
        List<Tombstone> found = new ArrayList<>();
        while (!ahead.isEmpty() && found.size() < most) {
            Tombstone next = ahead.remove();
            last = Optional.of(next);
            if (wanted.test(next)) {
                found.add(next);
            }
        }
        return found;
    }

    /** Whether the last step came to the end. */
    boolean isOver() {
        return isAllRead && ahead.isEmpty();
    }

    /** The next step begins with the oldest. */
    void restart() {
        ahead.clear();
        last = Optional.empty();
        isAllRead = false;
    }
}
