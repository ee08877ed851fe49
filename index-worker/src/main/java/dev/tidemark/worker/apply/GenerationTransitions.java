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
        if (state instanceof Building building) {
            return next(building, status, checkpoint);
        } else if (state instanceof Paused paused) {
            return resting ? paused : paused.resumed(now, "resumed by an operator");
        } else if (state instanceof Rebuilding rebuilding && !restoring) {
            return rebuilding.complete(now);
        } else if (state instanceof Verifying verifying && status.tally().refused() > 0) {
            return verifying.refusing(now, refused(status));
        } else if (state instanceof Ready ready && status.tally().refused() > 0) {
            return ready.refusing(now, refused(status));
        } else if (state instanceof Degraded degraded
                && degraded.refusing()
                && status.tally().refused() == 0) {
            return degraded.healed(now, "the index can hold every row of its table now");
        }
        return state;
    }

    private GenerationState next(Building building, GenerationStatus status, ShardCheckpoint checkpoint) {
        if (resting) {
            return building.paused(now, "paused by an operator");
        }
        long lacking = checkpoint.liveRows() - status.tally().rows();
        if (!building.isCopied()) {
            return building;
        } else if (lacking == 0) {
            return building.complete(now);
        }
        // What is lacking at the end of the copy comes by live, because compaction removes a record for a later one
        // only.
        if (settled.isEmpty() || checkpoint.nextOffset() < settled.get()) {
            return building;
        }
        String why = lacking + " rows of the table were not found in the topic";
        return building.passes() == 0 ? building.again(checkpoint.nextOffset(), now, why) : building.degraded(now, why);
    }

    /** The phase after a comparison with the table; the present one if the result changes nothing. */
    static GenerationState judged(GenerationState state, VerificationResult proof, Instant now) {
        if (proof instanceof VerificationResult.Undecided) {
            return state;
        }
        if (state instanceof Degraded degraded) {
            // A row that the index cannot hold is left out on both sides, so being equal does not heal that.
            return proof instanceof VerificationResult.Equal && !degraded.refusing()
                    ? degraded.healed(now, "found equal to its table").proven(now)
                    : degraded;
        }
        if (proof instanceof VerificationResult.Different different) {
            return state instanceof Verifying verifying
                    ? verifying.refuted(now, different.how())
                    : state instanceof Ready ready ? ready.degraded(now, different.how()) : state;
        }
        return state instanceof Verifying verifying ? verifying.proven(now) : state;
    }

    private static String refused(GenerationStatus status) {
        return "the index cannot hold " + status.tally().refused() + " rows of its table";
    }
}
