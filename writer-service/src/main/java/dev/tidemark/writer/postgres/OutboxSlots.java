package dev.tidemark.writer.postgres;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.OptionalInt;

/**
 * Which of the tables of the outbox is written, and which can be emptied. The committer goes on to the next table when
 * that is empty and the one before has enough changes. So the tables grow to about half of what is retained, and no
 * change is deleted by itself. For the committer and the relay.
 */
final class OutboxSlots {
    static final int SLOTS = 3;

    /** Fewest changes of a table that is left. */
    static final long SLOT_CHANGES = 10_000;

    private final long slotChanges;
    private final long[] changes = new long[SLOTS];

    /** The last sequence in each table; 0 for an empty one. */
    private final long[] last = new long[SLOTS];

    private int current;

    OutboxSlots(long slotChanges) {
        this.slotChanges = slotChanges;
    }

    /** Reads what the tables hold. */
    synchronized void load(Connection connection) throws SQLException {
        current = 0;
        for (int slot = 0; slot < SLOTS; slot++) {
            String sql = "SELECT coalesce(min(sequence), 0), coalesce(max(sequence), 0) FROM tidemark.outbox_" + slot;
            long[] held = Statements.one(connection, sql, row -> new long[] {row.getLong(1), row.getLong(2)});
            last[slot] = held[1];
            changes[slot] = held[1] == 0 ? 0 : held[1] - held[0] + 1;
            if (last[slot] > last[current]) {
                current = slot;
            }
        }
    }

    /** The table for the next commit. */
    synchronized int forCommit() {
        int next = (current + 1) % SLOTS;
        if (changes[current] >= slotChanges && last[next] == 0) {
            current = next;
        }
        return current;
    }

    /** A commit put changes into a table. */
    synchronized void wrote(int slot, long sequence, int count) {
        last[slot] = sequence;
        changes[slot] += count;
    }

    /** A table that is not written and has no change after that one; empty when there is none. */
    synchronized OptionalInt obsolete(long through) {
        for (int slot = 0; slot < SLOTS; slot++) {
            if (slot != current && last[slot] > 0 && last[slot] <= through) {
                return OptionalInt.of(slot);
            }
        }
        return OptionalInt.empty();
    }

    /** A table was looked at; 0 where it is empty now. */
    synchronized void holds(int slot, long sequence) {
        last[slot] = sequence;
        changes[slot] = sequence == 0 ? 0 : changes[slot];
    }
}
