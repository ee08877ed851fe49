package dev.tidemark.worker.apply;

import java.time.Instant;

import org.jspecify.annotations.Nullable;

import dev.tidemark.worker.store.GenerationStatus;
import dev.tidemark.worker.store.Phase;
import dev.tidemark.worker.store.Phase.Building;
import dev.tidemark.worker.store.Phase.Degraded;
import dev.tidemark.worker.store.Phase.Paused;
import dev.tidemark.worker.store.Phase.Ready;
import dev.tidemark.worker.store.Phase.Rebuilding;
import dev.tidemark.worker.store.Phase.Verifying;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * The pure function from what a shard holds to the phases that its generations pass into.
 *
 * @param resting whether an operator has stopped the building of the generation
 * @param restoring whether the shard has not passed the end that the log had when it was opened
 * @param settled where the log ended when all of the generation's copy had been read; null when it was not, or nobody asked
 * @param now the time of the step
 */
record PhaseRule(
        boolean resting, boolean restoring, @Nullable Long settled, Instant now) {

    /** The phase that comes next; the present one where nothing changes. */
    Phase next(GenerationStatus status, ShardCheckpoint checkpoint) {
        Phase phase = status.phase();
        if (phase instanceof Building building) {
            return next(building, status, checkpoint);
        } else if (phase instanceof Paused paused) {
            return resting ? paused : paused.resumed(now, "resumed by an operator");
        } else if (phase instanceof Rebuilding rebuilding && !restoring) {
            return rebuilding.complete(now);
        } else if (phase instanceof Verifying verifying && status.tally().refused() > 0) {
            return verifying.refusing(now, refused(status));
        } else if (phase instanceof Ready ready && status.tally().refused() > 0) {
            return ready.refusing(now, refused(status));
        } else if (phase instanceof Degraded degraded
                && degraded.refusing()
                && status.tally().refused() == 0) {
            return degraded.healed(now, "the index can hold every row of its table now");
        }
        return phase;
    }

    private Phase next(Building building, GenerationStatus status, ShardCheckpoint checkpoint) {
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
        if (settled == null || checkpoint.nextOffset() < settled) {
            return building;
        }
        String why = lacking + " rows of the table were not found in the topic";
        return building.passes() == 0 ? building.again(checkpoint.nextOffset(), now, why) : building.degraded(now, why);
    }

    /** The phase after a comparison with the table; the present one where that says nothing new. */
    static Phase judged(Phase phase, Proof proof, Instant now) {
        if (proof instanceof Proof.Undecided) {
            return phase;
        }
        if (phase instanceof Degraded degraded) {
            // A row that the index cannot hold is left out on both sides, so being equal does not heal that.
            return proof instanceof Proof.Equal && !degraded.refusing()
                    ? degraded.healed(now, "found equal to its table").proven(now)
                    : degraded;
        }
        if (proof instanceof Proof.Different different) {
            return phase instanceof Verifying verifying
                    ? verifying.refuted(now, different.how())
                    : phase instanceof Ready ready ? ready.degraded(now, different.how()) : phase;
        }
        return phase instanceof Verifying verifying ? verifying.proven(now) : phase;
    }

    private static String refused(GenerationStatus status) {
        return "the index cannot hold " + status.tally().refused() + " rows of its table";
    }
}
