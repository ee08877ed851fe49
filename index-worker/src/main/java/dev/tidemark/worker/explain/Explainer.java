package dev.tidemark.worker.explain;

import java.util.Optional;
import java.util.function.LongConsumer;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.explain.RowStatus.Kind;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.store.RowState;

/** Explains why rows are, or are not, in indexes. For any thread; queries the writer and so may block for seconds. */
public record Explainer(RowLookup rows, FactTable facts) {
    /**
     * Explains why a row is, or is not, in an index: in the generation that serves in the row's shard, otherwise in the
     * given one.
     *
     * @param memory reserves the given number of bytes, or throws
     */
    public Explanation explain(IndexNames.Found asked, KeyBytes key, LongConsumer memory) throws InterruptedException {
        // The writer first: its answer is then no newer than the shard that it is compared with.
        FactLookup fact = ask(asked.table(), key, memory);
        try {
            RowSnapshot sight = rows.look(asked.table(), key);
            IndexNames.Found index = sight.serving(asked.plan()).map(asked::in).orElse(asked);
            ExplainRule rule = new ExplainRule(index, key);
            RowStatus outcome = rule.explain(sight, fact);
            if (fact instanceof FactLookup.NoRow && outcome.kind() == Kind.NOT_APPLIED) {
                // Or the row came into being in between.
                fact = ask(index.table(), key, memory);
                outcome = rule.explain(sight, fact);
            } else if (ExplainRule.isAhead(sight, fact)) {
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
    public Explanation explainFromIndex(IndexNames.Found asked, KeyBytes key) {
        try {
            RowSnapshot sight = rows.look(asked.table(), key);
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
            throw new NotAnswerableException("partition " + index.table().partitionOf(key) + " of table "
                    + index.table().name() + " is built again from its topic, and what it has so far says nothing");
        }
    }

    /** The writer's present answer includes every version that it assigned before the shard was read. */
    private RowStatus settled(IndexNames.Found index, KeyBytes key, RowSnapshot sight, RowStatus outcome)
            throws InterruptedException {
        try {
            return facts.version(index.table(), key)
                    .filter(later -> ExplainRule.isAhead(sight, later))
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
}
