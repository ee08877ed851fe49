package dev.tidemark.deploy.kills;

import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Predicate;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.progress.Progress;
import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardCheckpoint;

/** What a checkpoint says of its shard in figures, moved on row by row. */
final class ShardFigures {
    private final Map<Long, GenerationStats> tallies = new HashMap<>();
    private long liveRows;
    private long quarantined;

    /** Goes on from a checkpoint. */
    ShardFigures(ShardCheckpoint checkpoint) {
        checkpoint.generations().forEach((id, status) -> tallies.put(id, status.tally()));
        this.liveRows = checkpoint.liveRows();
        this.quarantined = checkpoint.quarantined();
    }

    /** A row had one state and has another. */
    void replace(KeyBytes row, Optional<RowState> before, Optional<RowState> after) {
        before.ifPresent(state -> state.entries()
                .keySet()
                .forEach(id -> tallies.merge(id, GenerationStats.of(row, state, id), (sum, part) -> sum.minus(part))));
        after.ifPresent(state -> state.entries()
                .keySet()
                .forEach(id -> tallies.merge(id, GenerationStats.of(row, state, id), GenerationStats::plus)));
        liveRows += count(after, RowState::isLive) - count(before, RowState::isLive);
        quarantined += count(after, RowState::isPoisoned) - count(before, RowState::isPoisoned);
    }

    /** The checkpoint after a batch with these figures. */
    ShardCheckpoint checkpoint(long batch) {
        long sequence = batch * Script.CHANGES;
        Instant time = ShardRows.timeOf(sequence);
        ShardCheckpoint checkpoint = new ShardCheckpoint(
                batch,
                OptionalInt.of(3),
                new Progress(time, ShardRows.version(sequence)),
                time,
                ShardCheckpoint.EMPTY.generations(),
                liveRows,
                quarantined);
        for (long id : List.of(ShardRows.STEADY, ShardRows.passing(batch))) {
            GenerationState phase = new GenerationState.Rebuilding(ShardRows.timeOf(id), "new");
            checkpoint = checkpoint.with(GenerationStatus.begun(id, "definition " + id, phase)
                    .with(tallies.getOrDefault(id, GenerationStats.NONE)));
        }
        return checkpoint;
    }

    private static int count(Optional<RowState> state, Predicate<RowState> kind) {
        return state.filter(kind).isPresent() ? 1 : 0;
    }
}
