package dev.tidemark.writer.outbox;

import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommitPosition;

/**
 * Carries out dismissals, one at a time, between the relay's other steps: a row that is inserted after the look at the
 * store has its event published later. Everything but {@link #dismiss} is for the relay alone.
 */
final class DismissalRelay implements Dismissals {
    private static final Logger LOGGER = LoggerFactory.getLogger(DismissalRelay.class);
    private static final long PATIENCE_SECONDS = 5;
    private static final int MOST_WAITING = 100;

    private final DerivedTables derived;
    private final Outbox outbox;
    private final ChangeRelay changes;
    private final Queue<Dismissal> waiting = new ArrayBlockingQueue<>(MOST_WAITING);
    private @Nullable Dismissal underWay;
    private InFlightPages.@Nullable Page sent;

    private record Dismissal(String table, int partition, KeyBytes key, CompletableFuture<Outcome> done) {}

    DismissalRelay(DerivedTables derived, Outbox outbox, ChangeRelay changes) {
        this.derived = derived;
        this.outbox = outbox;
        this.changes = changes;
    }

    @Override
    public CompletableFuture<Outcome> dismiss(String table, int partition, KeyBytes key) {
        Dismissal dismissal = new Dismissal(table, partition, key, new CompletableFuture<>());
        return waiting.offer(dismissal)
                ? dismissal.done().completeOnTimeout(Outcome.UNAVAILABLE, PATIENCE_SECONDS, TimeUnit.SECONDS)
                : CompletableFuture.completedFuture(Outcome.UNAVAILABLE);
    }

    /**
     * Publishes the next removal, once the result of the one before is known.
     *
     * @param frontier a commit position that has been reached, not before any heartbeat that was sent. The removal has
     *     its version: it comes after all those heartbeats, and before every later change of its key
     * @param complete supplies the tables whose topics hold all that is published
     * @return number of dismissals that moved on
     */
    int step(CommitPosition frontier, Supplier<List<TableDefinition>> complete)
            throws PublishException, InterruptedException {
        int done = settle();
        Dismissal next = underWay == null ? waiting.poll() : null;
        if (next == null || next.done().isDone()) {
            return done;
        }
        Optional<Outcome> refusal = refusal(next, complete.get());
        if (refusal.isPresent()) {
            next.done().complete(refusal.get());
            return done + 1;
        }
        underWay = next;
        // What is forgotten must never be published again, as with other tombstones.
        outbox.makeMarksDurable();
        ChangeEvent removal = new ChangeEvent.Forgotten(next.key(), frontier.version(), frontier.time());
        sent = changes.begin(List.of(new Publication(next.table(), next.partition(), removal)));
        return done + 1 + settle();
    }

    /** Nothing is known of what is under way, and nothing can be published for a while. */
    void reset() {
        if (underWay != null) {
            underWay.done().complete(Outcome.UNAVAILABLE);
        }
        underWay = null;
        sent = null;
        for (Dismissal next = waiting.poll(); next != null; next = waiting.poll()) {
            next.done().complete(Outcome.UNAVAILABLE);
        }
    }

    private int settle() {
        if (underWay == null || sent == null || !sent.isSettled()) {
            return 0;
        }
        underWay.done().complete(sent.isAcknowledged(underWay.table()) ? Outcome.PUBLISHED : Outcome.UNAVAILABLE);
        underWay = null;
        sent = null;
        return 1;
    }

    private Optional<Outcome> refusal(Dismissal next, List<TableDefinition> complete) {
        Optional<TableDefinition> spec =
                complete.stream().filter(one -> one.name().equals(next.table())).findFirst();
        if (spec.isEmpty()) {
            return Optional.of(Outcome.UNAVAILABLE);
        }
        if (next.partition() >= spec.get().partitions()) {
            return Optional.of(Outcome.NO_PARTITION);
        }
        boolean isHome = DerivedTable.isByIndex(next.table()) || spec.get().partitionOf(next.key()) == next.partition();
        try {
            return isHome && derived.find(next.table(), next.partition(), next.key()) != null
                    ? Optional.of(Outcome.ROW_EXISTS)
                    : Optional.empty();
        } catch (RuntimeException e) {
            LOGGER.warn("Whether a row of table {} has the key of a record is not known", next.table(), e);
            return Optional.of(Outcome.UNAVAILABLE);
        }
    }
}
