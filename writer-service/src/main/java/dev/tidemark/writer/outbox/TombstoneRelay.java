package dev.tidemark.writer.outbox;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.writer.failpoint.WriterFailpoint;

/**
 * Lets topics forget rows that have been deleted for long, so that compaction can remove them. For the relay alone, and
 * between its other steps: a row that is inserted again after the look at the store has its event published later.
 */
final class TombstoneRelay {
    /** With PostgreSQL, each takes two queries, and nothing else is published meanwhile. */
    private static final int MOST_AT_ONCE = 50;

    private final DerivedTables derived;
    private final Outbox outbox;
    private final Tombstones tombstones;
    private final TombstoneWalk walk;
    private final ChangeRelay changes;
    private final HeldTables held;
    private final TopicReconciler keeper;
    private final Duration delay;
    private List<Tombstone> underWay = List.of();
    private InFlightPages.@Nullable Page sent;
    private boolean hasMore;

    TombstoneRelay(
            DerivedTables derived,
            Outbox outbox,
            Tombstones tombstones,
            ChangeRelay changes,
            HeldTables held,
            TopicReconciler keeper,
            Duration delay) {
        this.derived = derived;
        this.outbox = outbox;
        this.tombstones = tombstones;
        this.walk = new TombstoneWalk(tombstones);
        this.changes = changes;
        this.delay = delay;
        this.held = held;
        this.keeper = keeper;
    }

    /** Whether some are under way, or more may be due. */
    boolean isBusy() {
        return sent != null || hasMore;
    }

    /**
     * Publishes what is due, and lets go of what is published.
     *
     * @param published only deletes up to this sequence, because the delete itself must come first
     * @return how many tombstones were dealt with
     */
    int step(Instant now, long published) throws PublishException, InterruptedException {
        if (sent != null) {
            return sent.isSettled() ? forget(sent) : 0;
        }
        Set<String> dropped = dropped();
        Set<String> except = held.names();
        except.removeAll(dropped);
        List<Tombstone> due = walk.step(
                now.minus(delay),
                tombstone -> tombstone.version().sequence() <= published && !except.contains(tombstone.table()),
                MOST_AT_ONCE);
        // Where none is found, the next look comes later, so that many that have to stay do not keep the thread busy.
        hasMore = !due.isEmpty() && !walk.isOver();
        if (walk.isOver()) {
            walk.restart();
        }
        if (due.isEmpty()) {
            return 0;
        }
        List<Publication> messages = due.stream()
                .filter(tombstone -> !derived.isGone(tombstone.table()) && !dropped.contains(tombstone.table()))
                .filter(tombstone -> derived.find(tombstone.table(), tombstone.partition(), tombstone.key()) == null)
                .filter(tombstone -> !tombstones.isSuperseded(tombstone))
                .map(TombstoneRelay::publication)
                .toList();
        if (messages.isEmpty()) {
            remove(due);
            return due.size();
        }
        // A change of a forgotten row must never be published again: no worker would recognise it as old.
        outbox.makeMarksDurable();
        underWay = due;
        sent = changes.begin(messages);
        return sent.isSettled() ? forget(sent) : due.size();
    }

    /** Forgets what is under way; it falls due again. */
    void reset() {
        sent = null;
        underWay = List.of();
        hasMore = false;
        walk.restart();
    }

    /**
     * Tables that left the catalog, whose topics are left alone. A topic that lacks deletes needs them once its table
     * is back.
     */
    private Set<String> dropped() {
        return held.gone().stream()
                .filter(table -> keeper.known(table).filter(TopicRecord::whole).isPresent())
                .collect(Collectors.toSet());
    }

    private int forget(InFlightPages.Page page) {
        Set<String> sentTo = page.tables();
        remove(underWay.stream()
                .filter(tombstone -> page.isAcknowledged(tombstone.table()) || !sentTo.contains(tombstone.table()))
                .toList());
        int dealtWith = underWay.size();
        sent = null;
        underWay = List.of();
        return dealtWith;
    }

    private void remove(List<Tombstone> done) {
        WriterFailpoint.FORGET_SENT.hit();
        tombstones.remove(done);
        WriterFailpoint.FORGET_DONE.hit();
    }

    private static Publication publication(Tombstone tombstone) {
        return new Publication(
                tombstone.table(),
                tombstone.partition(),
                new ChangeEvent.Forgotten(tombstone.key(), tombstone.version(), tombstone.deletedAt()));
    }
}
