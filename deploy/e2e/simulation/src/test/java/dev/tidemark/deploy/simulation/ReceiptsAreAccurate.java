package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.progress.BadTokenException;
import dev.tidemark.progress.SessionToken;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.worker.explain.NoReceiptException;
import dev.tidemark.worker.explain.Receipt;
import dev.tidemark.worker.explain.RowPosition;
import dev.tidemark.worker.explain.RowStatus;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.ShardView;

/**
 * A receipt that says visible means that the index holds the entries of that version at that moment, not applicable
 * that there are none to hold, superseded that there is a newer version; and no acknowledged write is refused one. Of
 * all rows a third is asked for each time, in turn: receipts cost as much as all else that is checked.
 */
final class ReceiptsAreAccurate implements Guarantee {
    private static final int TURNS = 3;

    private final boolean isFinal;
    private int turn;

    /**
     * Asks for receipts.
     *
     * @param isFinal whether all is applied: then no receipt says that a write is pending, and all rows are asked for
     */
    ReceiptsAreAccurate(boolean isFinal) {
        this.isFinal = isFinal;
    }

    @Override
    public List<String> violations(Watched watched) {
        List<String> violations = new ArrayList<>();
        if (watched.table().indexes().isEmpty() || watched.hasDerived()) {
            // Of indexes in derived tables the writer is asked, which does not answer here.
            return violations;
        }
        turn++;
        int number = turn;
        for (KeyBytes key : watched.history().keys()) {
            number++;
            if (number % TURNS != 0 && !isFinal) {
                continue;
            }
            for (ChangeEvent event : watched.history().newestAcknowledged(key, 2)) {
                Optional<Receipt.OfRow> receipt = receipt(watched, event, violations);
                if (receipt.isPresent()) {
                    for (Receipt.OfIndex one : receipt.get().indexes()) {
                        if (!isTrue(watched, event, one.index(), one.status())) {
                            violations.add("index " + one.index().name() + ": " + one.status() + " of " + event);
                        }
                    }
                }
            }
        }
        return violations;
    }

    private static Optional<Receipt.OfRow> receipt(Watched watched, ChangeEvent event, List<String> violations) {
        WrittenRow row = new WrittenRow(event.key(), event instanceof ChangeEvent.Deleted);
        int partition = watched.table().partitionOf(event.key());
        SessionToken token = SessionToken.of(watched.table().name(), partition, event.version(), row);
        try {
            return Optional.of((Receipt.OfRow) watched.desk().ask(token, Duration.ZERO, bytes -> {}));
        } catch (NotAnswerableException e) {
            return Optional.empty();
        } catch (NoReceiptException e) {
            if (!e.isGone() || !watched.history().hasLost()) {
                violations.add("no receipt for acknowledged " + event + ": " + e.getMessage());
            }
            return Optional.empty();
        } catch (BadTokenException e) {
            violations.add("no receipt for acknowledged " + event + ": " + e.getMessage());
            return Optional.empty();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    private boolean isTrue(Watched watched, ChangeEvent event, IndexDefinition index, RowStatus status) {
        Set<String> expected = event instanceof ChangeEvent.Upserted upserted
                ? watched.expected().of(index, upserted.row())
                : Set.of();
        return switch (status.kind()) {
            case VISIBLE ->
                expected.isEmpty() == (event instanceof ChangeEvent.Deleted)
                        && found(watched, event, index).equals(expected);
            case NOT_APPLICABLE ->
                status.now() instanceof RowPosition.LeftOut left
                        && left.absence().isPresent()
                        && expected.isEmpty()
                        && event instanceof ChangeEvent.Upserted;
            case SUPERSEDED -> watched.history().isSuperseded(event.key(), event.version());
            default -> status.kind() == RowStatus.Kind.PENDING && !isFinal;
        };
    }

    /** What the index holds of the row. */
    private static Set<String> found(Watched watched, ChangeEvent event, IndexDefinition index) {
        Set<String> found = new TreeSet<>();
        long generation = watched.known().generations(watched.table().name()).stream()
                .filter(one -> one.definition().equals(index))
                .findFirst()
                .orElseThrow()
                .id();
        int partition = watched.table().partitionOf(event.key());
        try (ShardView view = watched.read(partition).orElseThrow().view();
                EntryScan scan = view.scan(generation, KeyRange.ALL, Order.ASC)) {
            for (; scan.isValid(); scan.next()) {
                if (endsWith(scan.key(), event.key())) {
                    found.add(watched.expected().found(index, scan.key(), scan.carried()));
                }
            }
        }
        return found;
    }

    private static boolean endsWith(KeyBytes whole, KeyBytes end) {
        int from = whole.length() - end.length();
        return from >= 0 && Arrays.equals(whole.array(), from, whole.length(), end.array(), 0, end.length());
    }
}
