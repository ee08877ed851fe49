package dev.tidemark.worker.apply;

import java.time.Instant;
import java.util.Optional;

import dev.tidemark.worker.store.GenerationState;
import dev.tidemark.worker.store.GenerationState.Building;
import dev.tidemark.worker.store.GenerationState.Degraded;
import dev.tidemark.worker.store.GenerationState.Paused;
import dev.tidemark.worker.store.GenerationState.Ready;
import dev.tidemark.worker.store.GenerationState.Rebuilding;
import dev.tidemark.worker.store.GenerationState.Verifying;
import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The pure function from the checkpoint of a shard to the next phases of its generations.
 *
 * @param resting whether an operator has paused the build of the generation
 * @param restoring whether the shard has not passed the end that the log had when it was opened
 * @param settled the end offset of the log, read after the backfill had read all records; empty before that, or when
 *     the offset was not requested
 * @param now the time of the step
 */
record GenerationTransitions(boolean resting, boolean restoring, Optional<Long> settled, Instant now) {

    /** The phase that comes next; the present one where nothing changes. */
    GenerationState next(GenerationStatus status, ShardCheckpoint checkpoint) {
        GenerationState state = status.phase();
        long refused = status.tally().refused();
        if (state instanceof Building building) {
            return next(building, status, checkpoint);
        } else if (state instanceof Paused paused && !resting) {
            Building building = paused.building();
            return new Building(
                    building.copied(), building.copyEnd(), building.passes(), now, "resumed by an operator");
        } else if (state instanceof Rebuilding && !restoring) {
            return new Verifying(true, now, "the shard has been read from the beginning of its topic");
        } else if (isTakenForEqual(state) && refused > 0) {
            return new Degraded(true, now, "the index cannot hold " + refused + " rows of its table");
        } else if (state instanceof Degraded degraded && degraded.refusing() && refused == 0) {
            return new Verifying(false, now, "the index can hold every row of its table now");
        }
        return state;
    }

    private GenerationState next(Building building, GenerationStatus status, ShardCheckpoint checkpoint) {
        if (resting) {
            return new Paused(building, now, "paused by an operator");
        }
        long lacking = checkpoint.liveRows() - status.tally().rows();
        if (!building.isCopied()) {
            return building;
        } else if (lacking == 0) {
            return new Verifying(false, now, "every row of the table has been copied");
        }
        // What is lacking at the end of the copy comes by live, because compaction removes a record for a later one
        // only.
        if (settled.isEmpty() || checkpoint.nextOffset() < settled.get()) {
            return building;
        }
        String why = lacking + " rows of the table were not found in the topic";
        return building.passes() == 0
                ? new Building(0, checkpoint.nextOffset(), 1, now, why)
                : new Degraded(false, now, why);
    }

    /** The phase after a comparison with the table; the present one if the result changes nothing. */
    static GenerationState judged(GenerationState state, VerificationResult proof, Instant now) {
        if (proof instanceof VerificationResult.Different different && isTakenForEqual(state)) {
            return new Degraded(false, now, different.how());
        }
        // A row that the index cannot hold is left out on both sides, so being equal does not heal that.
        boolean waits = state instanceof Verifying || (state instanceof Degraded degraded && !degraded.refusing());
        return waits && proof instanceof VerificationResult.Equal ? new Ready(now, "proven equal to its table") : state;
    }

    private static boolean isTakenForEqual(GenerationState state) {
        return state instanceof Verifying || state instanceof Ready;
    }
}
