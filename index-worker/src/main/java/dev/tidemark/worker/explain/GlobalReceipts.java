package dev.tidemark.worker.explain;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.LongConsumer;
import java.util.stream.IntStream;

import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.Generation;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.progress.SessionToken.WrittenRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.explain.RowStatus.Kind;
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
 */
public record GlobalReceipts(
        RowLookup rows,
        FactTable facts,
        Function<ShardId, Progress> elsewhere,
        BiFunction<ShardId, Long, Optional<Boolean>> answers) {

    /**
     * The generation of an index that queries are answered from, where a derived table holds it. As queries choose it:
     * the newest that answers in every shard, here or elsewhere; otherwise in all that are here; otherwise in all of
     * these but those that are restored.
     */
    Optional<Generation> answering(TableDefinition table, DesiredIndex index) {
        if (index.generations().stream().noneMatch(Generation::isDerived)) {
            return Optional.empty();
        }
        BiFunction<ShardId, Long, Optional<Boolean>> none = (shard, generation) -> Optional.empty();
        return newest(table, index, GlobalReceipts::serves, answers)
                .or(() -> newest(table, index, GlobalReceipts::serves, none))
                .or(() -> newest(table, index, GlobalReceipts::servesOrRestores, none))
                .filter(Generation::isDerived);
    }

    private Optional<Generation> newest(
            TableDefinition table,
            DesiredIndex index,
            BiPredicate<ShardStatus, Generation> rule,
            BiFunction<ShardId, Long, Optional<Boolean>> others) {
        return index.generations().stream()
                .filter(generation -> isIn(generation, generation.home(table), rule, others))
                .findFirst();
    }

    /** Whether a rule holds for a generation in every shard; one that no worker has decides nothing. */
    private boolean isIn(
            Generation generation,
            TableDefinition home,
            BiPredicate<ShardStatus, Generation> rule,
            BiFunction<ShardId, Long, Optional<Boolean>> others) {
        List<Boolean> known = new ArrayList<>();
        for (ShardId shard : shards(home)) {
            Optional<Boolean> here =
                    find(shard).flatMap(OpenShard::status).map(status -> rule.test(status, generation));
            here.filter(holds -> holds)
                    .or(() -> others.apply(shard, generation.id()))
                    .or(() -> here)
                    .ifPresent(known::add);
        }
        return !known.isEmpty() && !known.contains(false);
    }

    private static boolean serves(ShardStatus status, Generation generation) {
        return status.checkpoint().serves(generation.id());
    }

    private static boolean servesOrRestores(ShardStatus status, Generation generation) {
        return serves(status, generation) || status.restores(generation);
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

    /** Whether other workers answer from partitions of a derived table, of whose progress no signal comes. */
    boolean isElsewhere(DesiredTable plan) {
        return plan.indexes().stream()
                .flatMap(index -> answering(plan.definition(), index).stream())
                .anyMatch(generation -> shards(generation.home(plan.definition())).stream()
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
                    home, shards(home).stream().map(ShardId::partition).toList(), key, false));
        } catch (NotAnswerableException e) {
            return Optional.empty();
        }
    }

    /** The progress of a generation in the partition that is least far. */
    private Progress least(Generation generation, TableDefinition table) {
        return shards(generation.home(table)).stream()
                .map(shard -> here(generation, shard).orElseGet(() -> elsewhere.apply(shard)))
                .min(Comparator.comparing(Progress::through))
                .orElse(Progress.UNKNOWN);
    }

    /** The progress of a shard that can be read here; empty where queries have to ask another worker. */
    private Optional<Progress> here(Generation generation, ShardId shard) {
        return find(shard)
                .filter(OpenShard::isReadable)
                .flatMap(OpenShard::status)
                .filter(status -> serves(status, generation))
                .map(status -> status.checkpoint().progress());
    }

    private Optional<OpenShard> find(ShardId shard) {
        return rows.lag().shards().find(shard);
    }

    private static List<ShardId> shards(TableDefinition home) {
        return IntStream.range(0, home.partitions())
                .mapToObj(partition -> new ShardId(home.name(), partition))
                .toList();
    }
}
