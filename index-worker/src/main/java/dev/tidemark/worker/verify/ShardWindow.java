package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;

import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.DigestFinding;
import dev.tidemark.worker.apply.RowRepair;
import dev.tidemark.worker.apply.VerificationResult;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.ShardView;

/** A shard of this process, as a pass sees it. */
public interface ShardWindow {
    int partition();

    /** Every change up to this one is in each view opened later. */
    RowVersion through();

    /**
     * What comparing the digest of a generation with that of its table came to, last; empty while that is not known.
     */
    Optional<DigestFinding> digest(long generation);

    /**
     * A view of now.
     *
     * @throws CannotVerifyException when the shard is not open
     */
    ShardView open() throws CannotVerifyException;

    /** Has rows put right, and waits for that as long as is reasonable; whether it was done. */
    boolean repair(List<RowRepair> rows) throws InterruptedException;

    /**
     * Has what the shard keeps of a generation in sum corrected, likewise.
     *
     * @param by what it lacks
     */
    boolean correct(long generation, GenerationStats by) throws InterruptedException;

    /** Queues the result of a comparison of one generation for the shard, which applies it later. */
    void judge(long generation, VerificationResult proof);

    /** Whether the shard is closed, or about to be, which waits for its views. */
    boolean isLeaving();
}
