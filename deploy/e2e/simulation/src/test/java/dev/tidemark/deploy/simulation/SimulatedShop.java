package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.BadKeyException;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowJson;
import dev.tidemark.row.RowVersion;
import dev.tidemark.testkit.ManualClock;
import dev.tidemark.writer.commit.CommitOutcome;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.Precondition;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.SourceRequest;
import dev.tidemark.writer.commit.WriteCommand;
import dev.tidemark.writer.commit.WriteRequest;

/**
 * Another database with a truth of its own, and the process that brings its rows to the writer. The process may stand
 * still or end at any time; it then goes on from the position that the writer stored.
 */
final class SimulatedShop {
    static final String NAME = "shop";
    private static final int MOST_AT_ONCE = 3;
    private static final long FIRST_DEFINITIONS = 1;

    private final TableDefinition table;
    private final ManualClock clock;
    private final RandomSource chance;
    private final Rule broken;

    /** What was committed there, in its order. */
    private final List<Change> changes = new ArrayList<>();

    /**
     * The versions with which each of them was committed to the fact table: the last one, and those that the fact table
     * has lost since, which a shard may still hold. Where it changed nothing, the version of the row counts.
     */
    private final List<NavigableSet<RowVersion>> versions = new ArrayList<>();

    private Optional<SourcePosition> known = Optional.empty();
    private boolean asked;
    private @Nullable Sent sent;

    /** A time of the writer, and how much was committed there when it was over. */
    private @Nullable Probe probe;

    /** Everything that was committed before is in the fact table. */
    private Optional<Instant> watermark = Optional.empty();

    /** A commit of the other database, at a time that no clock needs to show; no row for a delete. */
    private record Change(Instant trueTime, KeyBytes key, Optional<ObjectNode> row) {}

    private record Probe(Instant writersTime, int end) {}

    private record Sent(CompletableFuture<List<CommitOutcome>> outcomes) {}

    SimulatedShop(TableDefinition table, ManualClock clock, RandomSource chance, Rule broken) {
        this.table = table;
        this.clock = clock;
        this.chance = chance;
        this.broken = broken;
    }

    /** Somebody commits a change there. */
    void commit() {
        ObjectNode row = SampleTable.row(chance.below(SampleTable.ROWS), chance);
        changes.add(new Change(clock.instant(), key(row), chance.oneIn(4) ? Optional.empty() : Optional.of(row)));
        versions.add(new TreeSet<>());
    }

    private KeyBytes key(ObjectNode row) {
        try {
            return table.keyOf(row);
        } catch (BadKeyException e) {
            throw new AssertionError(e);
        }
    }

    /** The process ends, and another one asks the writer where to go on. */
    void restart() {
        asked = false;
        sent = null;
        probe = null;
        watermark = Optional.empty();
    }

    /** One step of the process. */
    void step(SimulatedWriter writer) {
        if (sent != null) {
            settle(sent);
        } else if (!asked) {
            int before = position(known);
            known = writer.facts().sourcePosition(NAME);
            if (position(known) < before) {
                // The fact table went back in time: a process that finds that ends, and what it knew is gone.
                restart();
            }
            asked = true;
        } else if (probe == null) {
            // The time first: what is committed there later is not before it.
            writer.commitTime().ifPresent(time -> {
                clock.advance(Duration.ofMillis(chance.below(20)));
                probe = new Probe(time, changes.size());
            });
        } else {
            send(writer, probe);
        }
    }

    private void send(SimulatedWriter writer, Probe asOf) {
        int from = position(known);
        int to = Math.min(changes.size(), from + chance.below(MOST_AT_ONCE + 1));
        boolean early = broken == Rule.A_SOURCE_IS_COMPLETE_WHEN_ALL_IS_COMMITTED;
        if (from >= asOf.end() || early) {
            watermark = Optional.of(asOf.writersTime());
            probe = null;
        }
        List<WriteCommand> commands =
                changes.subList(from, to).stream().map(SimulatedShop::command).toList();
        SourceRequest request = new SourceRequest(
                NAME,
                Map.of(table.name(), FIRST_DEFINITIONS),
                known.map(SourcePosition::position),
                RowJson.mapper().createObjectNode().put("next", to),
                watermark,
                Optional.empty(),
                commands.isEmpty() ? List.of() : List.of(new WriteRequest(table.name(), commands, true, 100)),
                true);
        writer.submit(table.name(), request).ifPresent(outcomes -> sent = new Sent(outcomes));
    }

    private static WriteCommand command(Change change) {
        return change.row()
                .<WriteCommand>map(row -> new WriteCommand.Put(change.key(), RowDocument.of(row), Precondition.NONE))
                .orElseGet(() -> new WriteCommand.Delete(change.key(), Precondition.NONE));
    }

    private void settle(Sent batch) {
        if (!batch.outcomes().isDone()) {
            if (chance.oneIn(20)) {
                restart();
            }
            return;
        }
        // Whatever came of it, the writer knows.
        sent = null;
        asked = false;
    }

    /**
     * The fact table has committed a batch, whether or not this process hears of that.
     *
     * @param before where the fact table stood
     */
    void committed(FactBatch batch, Optional<SourcePosition> before) {
        Optional<SourcePosition> after = Optional.ofNullable(batch.sources().get(NAME));
        if (after.isEmpty()) {
            return;
        }
        Deque<ChangeEvent> events = new ArrayDeque<>();
        for (CommittedChange change : batch.changes()) {
            if (change.table().equals(table.name())) {
                events.add(change.event());
            }
        }
        if (!events.isEmpty()) {
            // Lost versions that are given again were never seen.
            RowVersion first = events.getFirst().version();
            versions.forEach(given -> given.tailSet(first, true).clear());
        }
        for (int i = position(before); i < position(after); i++) {
            Change change = changes.get(i);
            RowVersion version = rowVersion(i);
            for (Iterator<ChangeEvent> rest = events.iterator(); rest.hasNext(); ) {
                ChangeEvent next = rest.next();
                if (next.key().equals(change.key())
                        && next instanceof ChangeEvent.Upserted == change.row().isPresent()) {
                    version = next.version();
                    rest.remove();
                    break;
                }
            }
            versions.get(i).add(version);
        }
    }

    /** The version that the row of a change has before it. */
    private RowVersion rowVersion(int index) {
        for (int i = index - 1; i >= 0; i--) {
            if (changes.get(i).key().equals(changes.get(index).key())) {
                return versions.get(i).last();
            }
        }
        return RowVersion.NONE;
    }

    /**
     * When the oldest change of a row was committed here, in truth, that a shard lacks.
     *
     * @param stored where the fact table stands
     * @param held the version of the row that the shard has
     * @param has whether the shard has a version of the row, or what came after it
     */
    Optional<Instant> lackingSince(
            KeyBytes key, Optional<SourcePosition> stored, Optional<RowVersion> held, Predicate<RowVersion> has) {
        for (int i = 0; i < changes.size(); i++) {
            boolean isDelivered = i < position(stored);
            NavigableSet<RowVersion> given = versions.get(i);
            if (changes.get(i).key().equals(key)
                    && !(isDelivered && has.test(given.last()))
                    && given.stream().filter(has).noneMatch(lost -> isOfEpoch(lost, held))) {
                return Optional.of(changes.get(i).trueTime());
            }
        }
        return Optional.empty();
    }

    /**
     * Whether what a shard holds is of the time before the fact table lost a version, or of no time. A delete of a row
     * that was not there has no version.
     */
    private static boolean isOfEpoch(RowVersion lost, Optional<RowVersion> held) {
        return lost.equals(RowVersion.NONE)
                || held.filter(version -> version.epoch() != lost.epoch()).isEmpty();
    }

    private static int position(Optional<SourcePosition> stored) {
        return stored.map(position -> position.position().path("next").asInt()).orElse(0);
    }

    /** The keys of all rows that were ever there. */
    List<KeyBytes> keys() {
        return changes.stream().map(Change::key).distinct().toList();
    }

    /** Whether the fact table has all. */
    boolean isThrough(SimulatedWriter writer) {
        return position(writer.facts().sourcePosition(NAME)) == changes.size();
    }
}
