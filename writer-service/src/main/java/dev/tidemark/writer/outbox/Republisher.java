package dev.tidemark.writer.outbox;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.KeyedRow;

/**
 * Publishes again what topics lack, one table at a time and page by page beside what other tables publish: first the
 * whole fact table and the deletes that are not forgotten yet, unless the outbox still holds everything since the first
 * change; then what the outbox holds of changes that were published or left out before. For the relay alone.
 */
final class Republisher {
    private static final int PAGE_ROWS = 1_000;

    /** With PostgreSQL, each takes two queries, and nothing else is published meanwhile. */
    private static final int PAGE_DELETES = 250;

    private static final long PAGE_BYTES = 4L << 20;

    /** Later than any commit, and still a number of nanoseconds since 1970. */
    private static final Instant EVER = Instant.parse("2200-01-01T00:00:00Z");

    private final OutboxRelay.Ports ports;
    private final TombstoneWalk deletes;
    private final ChangeRelay changes;
    private final HeldTables held;
    private final TopicReconciler keeper;
    private final DerivedTables derived;
    private final Clock clock;
    private final Deque<TableDefinition> lacking = new ArrayDeque<>();

    /** Derived tables whose first filling is paused; it begins again. */
    private final Set<TableDefinition> paused = new LinkedHashSet<>();

    /** Tables of which the last piece was sent, with that piece. */
    private final Map<TableDefinition, Optional<InFlightPages.Page>> finishing = new HashMap<>();

    private Stage stage = Stage.CHANGES;

    /** Whether the changes alone are everything, so that each proves what was published before it. */
    private boolean inOrder;

    private @Nullable KeyBytes lastKey;
    private long position;
    private long finished;
    private long pieces;
    private InFlightPages.@Nullable Page sent;
    private Instant restedAt = Instant.MIN;

    private enum Stage {
        ROWS,
        DELETES,
        CHANGES
    }

    Republisher(
            OutboxRelay.Ports ports,
            ChangeRelay changes,
            HeldTables held,
            TopicReconciler keeper,
            DerivedTables derived,
            Clock clock) {
        this.ports = ports;
        this.deletes = new TombstoneWalk(ports.tombstones());
        this.changes = changes;
        this.held = held;
        this.keeper = keeper;
        this.derived = derived;
        this.clock = clock;
    }

    /** The topic of a table that is held lacks something. A table that is under way begins again, after all others. */
    void add(TableDefinition spec) {
        TableDefinition underWay = lacking.peekFirst();
        lacking.remove(spec);
        lacking.addLast(spec);
        if (underWay == null || underWay.equals(spec)) {
            nextTable();
        }
    }

    /** Forgets everything; writes nothing, because the store may be what failed. */
    void clear() {
        lacking.clear();
        paused.clear();
        finishing.clear();
        nextTable();
    }

    /** How many tables lack nothing any more. */
    long finished() {
        return finished;
    }

    /** Number of pieces of tables that were read so far; each is published unless it is empty. */
    long pieces() {
        return pieces;
    }

    /**
     * Whether the last piece of a table's topic is not acknowledged yet. Until it is, the topic must not be reported
     * complete.
     */
    boolean isFinishing(String table) {
        return finishing.keySet().stream().anyMatch(spec -> spec.name().equals(table));
    }

    /**
     * Publishes the next piece.
     *
     * @return the table of which everything that was left out has been sent; empty while there is none
     */
    Optional<TableDefinition> step() throws PublishException, InterruptedException {
        finish();
        resume();
        TableDefinition spec = lacking.peekFirst();
        if (spec == null) {
            return Optional.empty();
        }
        if (!isWanted(spec) || rests(spec)) {
            lacking.removeFirst();
            if (isWanted(spec)) {
                paused.add(spec);
            }
            nextTable();
            return Optional.empty();
        }
        if ((sent != null && !sent.isSettled()) || clock.instant().isBefore(restedAt)) {
            return Optional.empty();
        }
        sent = null;
        pieces++;
        // A result that is settled meanwhile may show that the topic has lost records again.
        if (!publishNext(spec) || !isWanted(spec)) {
            return Optional.empty();
        }
        finishing.put(spec, Optional.ofNullable(sent));
        lacking.removeFirst();
        nextTable();
        return Optional.of(spec);
    }

    /** An index that was paused too late to stop its build may answer from a topic that was whole before. */
    private boolean rests(TableDefinition spec) {
        return derived.isPaused(spec.name()) && keeper.isFirstFill(spec.name());
    }

    private void resume() {
        for (TableDefinition spec : List.copyOf(paused)) {
            if (!derived.isPaused(spec.name())) {
                paused.remove(spec);
                if (isWanted(spec)) {
                    add(spec);
                }
            }
        }
    }

    private void finish() {
        finishing.keySet().removeIf(spec -> held.isHeld(spec.name()));
        finishing.entrySet().removeIf(entry -> {
            boolean done = entry.getValue().map(InFlightPages.Page::isSettled).orElse(true);
            if (done) {
                finished++;
                keeper.complete(entry.getKey());
                changes.caughtUp(entry.getKey().name());
            }
            return done;
        });
    }

    /** A table may be held for another reason meanwhile; then it comes again. */
    private boolean isWanted(TableDefinition spec) {
        return held.kind(spec.name()).equals(Optional.of(TableHold.Kind.REPUBLISHING));
    }

    private void nextTable() {
        TableDefinition next = lacking.peekFirst();
        // The outbox has no placements of changes from before a derived table.
        inOrder = next != null && !DerivedTable.is(next.name()) && hasEveryChange();
        stage = inOrder ? Stage.CHANGES : Stage.ROWS;
        restedAt = Instant.MIN;
        lastKey = null;
        deletes.restart();
        position = ports.outbox().lowWaterMark();
        sent = null;
        if (lacking.isEmpty()) {
            changes.keepNoMore();
        } else {
            changes.keepFrom(position);
        }
    }

    /** Earlier versions could lose the mark of their first trim, so the mark alone does not show it. */
    private boolean hasEveryChange() {
        List<CommittedChange> first = ports.outbox().readAfter(0, 1, PAGE_BYTES);
        return ports.outbox().lowWaterMark() == 0
                && (first.isEmpty() ? changes.begun() == 0 : first.get(0).sequence() == 1);
    }

    /** No client waits for a derived table, so it rests as long as each of its pieces took. */
    private boolean publishNext(TableDefinition spec) throws PublishException, InterruptedException {
        Instant begun = clock.instant();
        boolean last = switch (stage) {
            case ROWS -> publishRows(spec);
            case DELETES -> publishDeletes(spec);
            case CHANGES -> publishChanges(spec);
        };
        if (DerivedTable.is(spec.name())) {
            Instant now = clock.instant();
            restedAt = now.plus(Duration.between(begun, now));
        }
        return last;
    }

    private boolean publishRows(TableDefinition spec) throws PublishException, InterruptedException {
        List<KeyedRow> page = ports.store()
                .scan(DerivedTable.base(spec.name()), lastKey, PAGE_ROWS, PAGE_BYTES)
                .rows();
        if (page.isEmpty()) {
            stage = Stage.DELETES;
        } else {
            lastKey = page.get(page.size() - 1).key();
            publish(
                    page.stream()
                            .flatMap(row -> publications(spec, row).stream())
                            .toList(),
                    true);
        }
        return false;
    }

    /**
     * A row that is gone from the fact table stays in a topic that has lost its delete. An old delete of a row that is
     * there would have compaction remove the row: that is among the rows, or comes with the changes.
     */
    private boolean publishDeletes(TableDefinition spec) throws PublishException, InterruptedException {
        List<Publication> messages =
                deletes.step(EVER, delete -> delete.table().equals(spec.name()), PAGE_DELETES).stream()
                        .filter(delete -> derived.find(delete.table(), delete.partition(), delete.key()) == null)
                        .filter(delete -> !ports.tombstones().isSuperseded(delete))
                        .map(Republisher::publication)
                        .toList();
        if (deletes.isOver()) {
            stage = Stage.CHANGES;
        }
        // What is behind in commit order may be published later, so these prove nothing of it.
        publish(messages, false);
        return false;
    }

    /**
     * Behind the rows, changes prove nothing of what comes before them: of a row that was inserted again since, the old
     * delete is left out. Changes that recovery supersedes belong to what a topic lacks: recovery does not know of the
     * rows that are published here, and commits no deletes of them.
     */
    private boolean publishChanges(TableDefinition spec) throws PublishException, InterruptedException {
        long through = changes.begun();
        List<CommittedChange> page = ports.outbox().readAfter(position, PAGE_ROWS, PAGE_BYTES);
        Instant now = clock.instant();
        List<Publication> messages = new ArrayList<>();
        for (CommittedChange change : page) {
            if (change.sequence() <= through) {
                messages.addAll(again(change, spec.name(), now));
            }
        }
        publish(messages, inOrder);
        position = page.isEmpty()
                ? through
                : Math.min(through, page.get(page.size() - 1).sequence());
        return position >= through && !changes.isNextSuperseded();
    }

    /** All the time since its commit it was waiting to be published, this time. */
    private List<Publication> again(CommittedChange change, String table, Instant now) {
        Instant committed = change.event().committedAt();
        PublishTimings times = PublishTimings.of(committed, committed, now);
        return change.table().equals(table) ? List.of(Publication.of(change, times)) : derived.of(change, table, times);
    }

    private List<Publication> publications(TableDefinition spec, KeyedRow row) {
        if (DerivedTable.is(spec.name())) {
            return derived.of(row, spec);
        }
        ChangeEvent event = new ChangeEvent.Upserted(
                row.key(),
                row.stored().version(),
                row.stored().committedAt(),
                UpsertKind.READ,
                row.stored().row());
        return List.of(new Publication(spec.name(), spec.partitionOf(row.key()), event));
    }

    private static Publication publication(Tombstone delete) {
        return new Publication(
                delete.table(),
                delete.partition(),
                new ChangeEvent.Deleted(delete.key(), delete.version(), delete.deletedAt()));
    }

    private void publish(List<Publication> messages, boolean proves) throws PublishException, InterruptedException {
        if (!messages.isEmpty()) {
            sent = changes.begin(messages, proves);
        }
    }
}
