package dev.tidemark.worker.explain;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongConsumer;

import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.Absence;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DerivedRow;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/** Explains why rows are, or are not, in indexes. For any thread; queries the writer and so may block for seconds. */
public record Explainer(RowLookup rows, FactTable facts) {
    /**
     * Explains why a row is, or is not, in an index: in the generation that serves in the row's shard, otherwise in the
     * given one.
     *
     * @param memory reserves the given number of bytes, or throws
     */
    public Explanation explain(IndexNames.Found named, KeyBytes key, LongConsumer memory) throws InterruptedException {
        IndexNames.Found asked = answering(named);
        // The writer first: its answer is then no newer than the shard that it is compared with.
        FactLookup fact = ask(asked.table(), key, memory);
        try {
            RowSnapshot sight = look(asked, key, fact);
            IndexNames.Found index = sight.serving(asked.plan()).map(asked::in).orElse(asked);
            RowStatus outcome = status(index, key, sight, fact);
            if (fact instanceof FactLookup.NoRow && outcome.kind() == Kind.NOT_APPLIED) {
                // Or the row came into being in between.
                fact = ask(index.table(), key, memory);
                outcome = status(index, key, sight, fact);
            } else if (isAhead(sight, fact)) {
                outcome = settled(index, key, sight, outcome);
            }
            if (outcome.kind() != Kind.NOT_APPLIED) {
                requireWhole(index, key, sight);
            }
            return new Explanation(index, key, outcome, Optional.of(sight), fact);
        } catch (NotAnswerableException e) {
            return notHeld(asked, key, e, fact);
        }
    }

    /**
     * The entries that an index has of a row, without anything that only the row contains; the writer is not queried.
     */
    public Explanation explainFromIndex(IndexNames.Found named, KeyBytes key) {
        IndexNames.Found asked = answering(named);
        try {
            RowSnapshot sight = look(asked, key, new FactLookup.NotAsked());
            IndexNames.Found index = sight.serving(asked.plan()).map(asked::in).orElse(asked);
            requireWhole(index, key, sight);
            RowPosition place = RowPosition.of(sight, index.generation().id());
            RowStatus outcome = place instanceof RowPosition.Held
                    ? RowStatus.of(Kind.IN_INDEX, place)
                    : RowStatus.of(Kind.NOT_IN_INDEX, new RowPosition.Unknown());
            return new Explanation(index, key, outcome, Optional.of(sight), new FactLookup.NotAsked());
        } catch (NotAnswerableException e) {
            return notHeld(asked, key, e, new FactLookup.NotAsked());
        }
    }

    /**
     * The shard whose worker explains a row. Of a global index that is one with an entry of the row, if possible one
     * that is here.
     */
    public ShardId shard(IndexNames.Found asked, KeyBytes key, LongConsumer memory) throws InterruptedException {
        IndexNames.Found index = answering(asked);
        FactLookup fact = index.definition().isGlobal() ? ask(index.table(), key, memory) : new FactLookup.NotAsked();
        List<ShardId> shards = partitions(index, key, fact).stream()
                .map(partition -> new ShardId(index.home().name(), partition))
                .toList();
        return shards.stream()
                .filter(shard -> rows.lag().shards().find(shard).isPresent())
                .findFirst()
                .orElse(shards.get(0));
    }

    /** An index in the newest generation that may answer in the shards here; as it is where that depends on the row. */
    private IndexNames.Found answering(IndexNames.Found asked) {
        if (asked.plan().generations().stream().noneMatch(Generation::isDerived)) {
            return asked;
        }
        return asked.plan().generations().stream()
                .map(asked::in)
                .filter(index -> {
                    List<ShardCheckpoint> held = rows.lag().shards().checkpoints(index.home());
                    return !held.isEmpty()
                            && held.stream()
                                    .allMatch(shard ->
                                            shard.serves(index.generation().id()));
                })
                .findFirst()
                .orElse(asked);
    }

    /** The partitions that have a row: those of its entries, or all where a global index leaves it out. */
    private static SortedSet<Integer> partitions(IndexNames.Found index, KeyBytes key, FactLookup fact) {
        if (!index.definition().isGlobal()) {
            return new TreeSet<>(List.of(index.home().partitionOf(key)));
        }
        SortedSet<Integer> placed = fact instanceof FactLookup.Found found
                ? new EntryDeriver(index.definition())
                        .partitions(key, PartialRow.of(found.row().row()))
                : new TreeSet<>();
        return placed.isEmpty() ? index.partitions() : placed;
    }

    /** What the shards here show of a row. No shard of a global index has a row that it leaves out. */
    private RowSnapshot look(IndexNames.Found index, KeyBytes key, FactLookup fact) throws NotAnswerableException {
        boolean unknown = fact instanceof FactLookup.NoAnswer || fact instanceof FactLookup.NotAsked;
        RowSnapshot sight = rows.look(index.home(), partitions(index, key, fact), key, unknown);
        if (index.definition().isGlobal() && fact instanceof FactLookup.Found found && !isLive(sight)) {
            RowVersion version = found.row().version();
            Generation generation = index.generation();
            DerivedRow derived = new RowDeriver(List.of(generation))
                    .derive(key, found.row().row())
                    .get(generation.id());
            if (derived != null && derived.keys().isEmpty() && sight.progress().covers(version)) {
                return sight.with(new RowState(version, Standing.LIVE, Map.of(generation.id(), derived.entries())));
            }
        }
        return sight;
    }

    private static Explanation notHeld(
            IndexNames.Found index, KeyBytes key, NotAnswerableException why, FactLookup fact) {
        RowPosition place = new RowPosition.NotHeld(String.valueOf(why.getMessage()));
        return new Explanation(index, key, RowStatus.of(Kind.NOT_HELD, place), Optional.empty(), fact);
    }

    /** A shard that is still being built does not show yet what the index holds and lacks. */
    private static void requireWhole(IndexNames.Found index, KeyBytes key, RowSnapshot sight)
            throws NotAnswerableException {
        if (sight.serving(index.plan()).isEmpty()
                && sight.isRestoring(index.generation().id())) {
            String where = index.definition().isGlobal()
                    ? "index " + index.definition().qualifiedName()
                    : "partition " + index.home().partitionOf(key) + " of table "
                            + index.table().name();
            throw new NotAnswerableException(
                    where + " is built again from its topic, and what it has so far says nothing");
        }
    }

    /** The writer's present answer includes every version that it assigned before the shard was read. */
    private RowStatus settled(IndexNames.Found index, KeyBytes key, RowSnapshot sight, RowStatus outcome)
            throws InterruptedException {
        try {
            return facts.version(index.table(), key)
                    .filter(later -> isAhead(sight, later))
                    .map(later -> RowStatus.of(Kind.INCONSISTENT, outcome.now())
                            .versions(Optional.of(later), sight.row().map(RowState::version)))
                    .orElse(outcome);
        } catch (NotAnswerableException e) {
            return outcome;
        }
    }

    private FactLookup ask(TableDefinition table, KeyBytes key, LongConsumer memory) throws InterruptedException {
        try {
            Optional<FactTable.FactRow> found = facts.find(table, key, memory);
            return found.isPresent() ? new FactLookup.Found(found.get()) : new FactLookup.NoRow();
        } catch (NotAnswerableException e) {
            return new FactLookup.NoAnswer(String.valueOf(e.getMessage()));
        }
    }

    /**
     * The pure function from a row in the shard and at the writer to the reason why it is, or is not, in an index. The
     * writer must be queried before the shard is read. Otherwise a shard that has applied everything could look behind.
     */
    private static RowStatus status(IndexNames.Found index, KeyBytes key, RowSnapshot sight, FactLookup fact) {
        RowPosition place = RowPosition.of(sight, index.generation().id());
        if (fact instanceof FactLookup.Found found) {
            RowVersion committed = found.row().version();
            boolean level =
                    sight.row().filter(row -> !committed.isAfter(row.version())).isPresent();
            if (!level && !sight.progress().covers(committed)) {
                return RowStatus.of(Kind.NOT_APPLIED, place)
                        .versions(Optional.of(committed), Optional.empty())
                        .waiting(
                                PendingEstimate.of(committed, sight.progress(), sight.eta()),
                                RowPosition.derived(
                                        index.definition(), key, found.row().row()));
            }
            if (!level && sight.row().filter(RowState::isPoisoned).isEmpty()) {
                return RowStatus.of(Kind.INCONSISTENT, place).versions(Optional.of(committed), Optional.empty());
            }
        }
        if (fact instanceof FactLookup.NoRow && isLive(sight)) {
            return RowStatus.of(Kind.NOT_APPLIED, place).waiting(PendingEstimate.UNKNOWN, new RowPosition.Deleted());
        }
        return standing(index, key, sight, fact);
    }

    /**
     * Whether the shard holds a newer version of the row than the writer's answer, as it does if a change came in
     * between.
     */
    private static boolean isAhead(RowSnapshot sight, FactLookup fact) {
        return fact instanceof FactLookup.Found found
                && isAhead(sight, found.row().version());
    }

    /** Whether the shard holds a newer version of the row than that. */
    private static boolean isAhead(RowSnapshot sight, RowVersion committed) {
        return sight.row().filter(row -> row.version().isAfter(committed)).isPresent();
    }

    private static RowStatus standing(IndexNames.Found index, KeyBytes key, RowSnapshot sight, FactLookup fact) {
        RowPosition place = RowPosition.of(sight, index.generation().id());
        if (place instanceof RowPosition.LeftOut left) {
            return RowStatus.leftOut(left.absence().or(() -> derivedAbsence(index, key, sight, fact)));
        }
        if (place instanceof RowPosition.Deleted) {
            return RowStatus.of(Kind.DELETED, place)
                    .versions(Optional.empty(), sight.row().map(RowState::version));
        }
        Kind unknown = fact instanceof FactLookup.NoAnswer ? Kind.NOT_KNOWN : Kind.NO_SUCH_ROW;
        Kind other = place instanceof RowPosition.Quarantined ? Kind.QUARANTINED : unknown;
        return RowStatus.of(place instanceof RowPosition.Held ? Kind.IN_INDEX : other, place);
    }

    /** Derives an absence reason that the shard did not record, if the row has not changed since. */
    private static Optional<Absence> derivedAbsence(
            IndexNames.Found index, KeyBytes key, RowSnapshot sight, FactLookup fact) {
        return fact instanceof FactLookup.Found found
                        && sight.row()
                                .filter(row -> row.version().equals(found.row().version()))
                                .isPresent()
                        && RowPosition.derived(
                                        index.definition(), key, found.row().row())
                                instanceof RowPosition.LeftOut left
                ? left.absence()
                : Optional.empty();
    }

    private static boolean isLive(RowSnapshot sight) {
        return sight.row().filter(row -> row.standing() == Standing.LIVE).isPresent();
    }
}
