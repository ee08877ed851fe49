package dev.tidemark.worker.explain;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.function.Predicate;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.GenerationChoice;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardId;

/**
 * The status of a write in indexes that derived tables hold. A row leaves partitions of a global index and comes into
 * others, so that a write is visible once all of them have come that far.
 *
 * @param elsewhere the progress of a shard of another worker; unknown where none has it
 * @param answers whether another worker answers from a generation in a shard; empty where none has the shard
 * @param notesRead whether it is known what other workers have of the table of that name
 */
public record GlobalReceipts(
        RowLookup rows,
        FactTable facts,
        Function<ShardId, Progress> elsewhere,
        BiFunction<ShardId, Long, Optional<Boolean>> answers,
        Predicate<String> notesRead) {

    /**
     * Refuses while the generation that answers cannot be chosen: one of other workers would be left out.
     *
     * @throws NotAnswerableException while notes about a derived table of the table are not read
     */
    void requireNotes(DesiredTable plan) throws NotAnswerableException {
        if (!areNotesRead(plan)) {
            throw new NotAnswerableException("the notes of other workers are not read yet");
        }
    }

    /** Whether it is known what other workers have of all derived tables of a table. */
    boolean areNotesRead(DesiredTable plan) {
        return plan.generations().stream()
                .filter(Generation::isDerived)
                .allMatch(generation ->
                        notesRead.test(generation.home(plan.definition()).name()));
    }

    /** The generation of an index that queries are answered from, where a derived table holds it. */
    Optional<Generation> answering(TableDefinition table, DesiredIndex index) {
        if (index.generations().stream().noneMatch(Generation::isDerived)) {
            return Optional.empty();
        }
        GenerationChoice choice = new GenerationChoice(
                index, generation -> generation.home(table), rows.lag().shards());
        return choice.everywhere(answers).or(choice::here).filter(Generation::isDerived);
    }

    /**
     * Those indexes of a table that derived tables answer for and in which a version is not visible yet, by their
     * names. Reads memory only.
     */
    List<String> late(DesiredTable plan, RowVersion version) {
        return plan.indexes().stream()
                .filter(index -> answering(plan.definition(), index)
                        .filter(generation ->
                                !least(generation, plan.definition()).covers(version))
                        .isPresent())
                .map(DesiredIndex::name)
                .toList();
    }

    /** Whether other workers may answer from partitions of a derived table, of whose progress no signal comes. */
    boolean mayBeElsewhere(DesiredTable plan) {
        return !areNotesRead(plan)
                || plan.indexes().stream()
                        .flatMap(index -> answering(plan.definition(), index).stream())
                        .anyMatch(generation -> ShardId.allOf(generation.home(plan.definition())).stream()
                                .anyMatch(shard -> here(generation, shard).isEmpty()));
    }

    /** The status of the write of a row in a generation. */
    RowStatus status(
            TableDefinition table, Generation generation, RowVersion version, WrittenRow row, LongConsumer memory)
            throws InterruptedException {
        TableDefinition home = generation.home(table);
        Progress least = least(generation, table);
        if (!least.covers(version)) {
            return RowStatus.of(Kind.PENDING, new RowPosition.Unknown())
                    .waiting(PendingEstimate.of(version, least, Optional.empty()), new RowPosition.Unknown());
        }
        Optional<RowSnapshot> sight = sight(home, row.key());
        Optional<RowPosition> quarantined = sight.map(shown -> RowPosition.of(shown, generation.id()))
                .filter(RowPosition.Quarantined.class::isInstance);
        if (quarantined.isPresent()) {
            return RowStatus.of(Kind.QUARANTINED, quarantined.get());
        }
        try {
            Optional<Instant> since = sight.flatMap(RowSnapshot::row)
                    .filter(state -> state.version().equals(version))
                    .flatMap(RowState::times)
                    .map(RowState.Times::appliedAt);
            return facts.find(table, row.key(), memory)
                    .map(fact -> status(generation, version, row.key(), fact))
                    .orElseGet(() ->
                            RowStatus.of(row.deleted() ? Kind.VISIBLE : Kind.SUPERSEDED, new RowPosition.Deleted()))
                    .since(since);
        } catch (NotAnswerableException e) {
            return RowStatus.of(Kind.VISIBLE, new RowPosition.Unknown());
        }
    }

    private static RowStatus status(Generation generation, RowVersion version, KeyBytes key, FactTable.FactRow fact) {
        RowPosition place = RowPosition.derived(generation.definition(), key, fact.row());
        if (fact.version().isAfter(version)) {
            return RowStatus.of(Kind.SUPERSEDED, place).versions(Optional.empty(), Optional.of(fact.version()));
        }
        return RowStatus.of(
                place instanceof RowPosition.Held
                        ? Kind.VISIBLE
                        : place instanceof RowPosition.LeftOut ? Kind.NOT_APPLICABLE : Kind.QUARANTINED,
                place);
    }

    private Optional<RowSnapshot> sight(TableDefinition home, KeyBytes key) {
        try {
            return Optional.of(rows.look(
                    home, ShardId.allOf(home).stream().map(ShardId::partition).toList(), key, false));
        } catch (NotAnswerableException e) {
            return Optional.empty();
        }
    }

    /** The progress of a generation in the partition that is least far. */
    private Progress least(Generation generation, TableDefinition table) {
        return ShardId.allOf(generation.home(table)).stream()
                .map(shard -> here(generation, shard).orElseGet(() -> elsewhere.apply(shard)))
                .min(Comparator.comparing(Progress::through))
                .orElse(Progress.UNKNOWN);
    }

    /** The progress of a shard that can be read here; empty where queries have to ask another worker. */
    private Optional<Progress> here(Generation generation, ShardId shard) {
        return find(shard)
                .filter(OpenShard::isReadable)
                .flatMap(OpenShard::status)
                .filter(status -> status.checkpoint().serves(generation.id()))
                .map(status -> status.checkpoint().progress());
    }

    private Optional<OpenShard> find(ShardId shard) {
        return rows.lag().shards().find(shard);
    }
}
