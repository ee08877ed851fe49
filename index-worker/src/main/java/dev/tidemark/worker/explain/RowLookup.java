package dev.tidemark.worker.explain;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;
import dev.tidemark.worker.query.NotAnswerableException;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

/**
 * Looks rows up in the shards of this process. For any thread.
 *
 * @param lag the meter of these shards
 * @param refusal why this process must not answer for its shards at the moment; empty when it may
 */
public record RowLookup(LagMeter lag, Supplier<Optional<String>> refusal) {
    /**
     * What is known of a row.
     *
     * @throws NotAnswerableException when this process does not hold the row's partition open
     */
    public RowSnapshot look(TableDefinition table, KeyBytes key) throws NotAnswerableException {
        return look(shard(table, table.partitionOf(key)), key);
    }

    /**
     * What those of some partitions together show of a row that this process holds.
     *
     * @param anywhere whether the row may be in any of them; that it is in none of those here then says nothing
     * @throws NotAnswerableException when it holds none of them open, or not all and these do not have the row
     */
    RowSnapshot look(TableDefinition table, Collection<Integer> partitions, KeyBytes key, boolean anywhere)
            throws NotAnswerableException {
        List<RowSnapshot> found = new ArrayList<>();
        Optional<NotAnswerableException> lacking = Optional.empty();
        for (int partition : partitions) {
            try {
                found.add(look(shard(table, partition), key));
            } catch (NotAnswerableException e) {
                lacking = lacking.or(() -> Optional.of(e));
            }
        }
        if (lacking.isPresent()
                && (found.isEmpty() || (anywhere && found.stream().noneMatch(RowLookup::has)))) {
            throw lacking.get();
        }
        return RowSnapshot.together(found);
    }

    private static boolean has(RowSnapshot sight) {
        return sight.row()
                .filter(row -> row.standing() != RowState.Standing.DELETED)
                .isPresent();
    }

    private RowSnapshot look(OpenShard shard, KeyBytes key) throws NotAnswerableException {
        OpenShard.ShardSnapshot reading = shard.readIfOpen().orElseThrow(() -> lacking(shard));
        try (ShardView view = reading.view()) {
            ShardLag now = lag.of(shard, Optional.of(reading.status()));
            RowSnapshot sight = new RowSnapshot(view.rowState(key), view.quarantined(key), now, lag.drain(shard));
            requireLease();
            return sight;
        }
    }

    /**
     * The shard of a partition.
     *
     * @throws NotAnswerableException when it is not assigned to this process, or that is not certain
     */
    public OpenShard shard(TableDefinition table, int partition) throws NotAnswerableException {
        requireLease();
        return lag.shards()
                .find(new ShardId(table.name(), partition))
                .orElseThrow(() -> new NotAnswerableException("partition " + partition + " of table " + table.name()
                        + " is not assigned to this worker; query the worker that holds it"));
    }

    /** Whether this process holds a shard open and may answer for it at the moment. */
    public boolean answers(ShardId shard) {
        return refusal.get().isEmpty()
                && lag.shards().find(shard).filter(OpenShard::isReadable).isPresent();
    }

    private void requireLease() throws NotAnswerableException {
        Optional<String> reason = refusal.get();
        if (reason.isPresent()) {
            throw new NotAnswerableException(reason.get());
        }
    }

    private static NotAnswerableException lacking(OpenShard shard) {
        return new NotAnswerableException("partition " + shard.id().partition() + " of table "
                + shard.id().table() + " cannot be read: "
                + shard.failure().map(failure -> "it failed: " + failure).orElse("it is being opened"));
    }
}
