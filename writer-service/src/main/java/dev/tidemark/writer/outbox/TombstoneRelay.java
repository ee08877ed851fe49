package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.writer.commit.FactStore;

/**
 * Lets topics forget rows that have been deleted for long, so that compaction can remove them. For the relay alone, and
 * between its other steps: a row that is inserted again after the look at the store has its event published later.
 */
final class TombstoneRelay {
    private static final int PAGE = 1_000;

    private final FactStore store;
    private final Outbox outbox;
    private final Tombstones tombstones;
    private final ChangeRelay changes;
    private final Duration delay;

    TombstoneRelay(FactStore store, Outbox outbox, Tombstones tombstones, ChangeRelay changes, Duration delay) {
        this.store = store;
        this.outbox = outbox;
        this.tombstones = tombstones;
        this.changes = changes;
        this.delay = delay;
    }

    /**
     * Publishes what is due.
     *
     * @param published only deletes up to this sequence, because the delete itself must come first
     * @return how many tombstones were dealt with
     */
    int step(Instant now, long published) throws PublishException, InterruptedException {
        List<Tombstone> due = tombstones.due(now.minus(delay), PAGE).stream()
                .filter(tombstone -> tombstone.version().sequence() <= published)
                .toList();
        if (due.isEmpty()) {
            return 0;
        }
        List<Publication> messages = due.stream()
                .filter(tombstone -> store.find(tombstone.table(), tombstone.key()) == null)
                .filter(tombstone -> !tombstones.isSuperseded(tombstone))
                .map(TombstoneRelay::publication)
                .toList();
        if (!messages.isEmpty()) {
            // What is forgotten must never be published again: nobody would know any more that it is old.
            outbox.makeMarksDurable();
            changes.begin(messages);
            changes.drain();
        }
        tombstones.remove(due);
        return due.size();
    }

    private static Publication publication(Tombstone tombstone) {
        return new Publication(
                tombstone.table(),
                tombstone.partition(),
                new ChangeEvent.Forgotten(tombstone.key(), tombstone.version(), tombstone.deletedAt()));
    }
}
