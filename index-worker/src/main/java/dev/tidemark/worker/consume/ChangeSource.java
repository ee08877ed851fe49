package dev.tidemark.worker.consume;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;

import dev.tidemark.worker.apply.PolledBatches;
import dev.tidemark.worker.shard.StartPosition;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * A member of the consumer group. Belongs to the poll thread. An assigned partition returns nothing before
 * {@link #startAt} was called for it.
 */
public interface ChangeSource extends AutoCloseable {
    /** Notified of assigned and revoked partitions, from within {@link #poll} and {@link #close}. */
    interface Assignment {
        /**
         * The group has settled and assigned these partitions; none where nothing changed for this member. The progress
         * that the previous member reported for them is already withdrawn. This member may be behind that progress, and
         * it answers before the group accepts its own first report.
         */
        void assigned(Collection<ShardId> shards);

        /** The partitions go to another member, which reads them once this has returned. */
        void revoked(Collection<ShardId> shards);

        /**
         * The group has removed this member, after too long a silence or because another member has its name. The
         * partitions may be another member's already, or come back.
         */
        void lost(Collection<ShardId> shards);

        /** This process runs; called during a poll that takes longer than its timeout. */
        void runs();
    }

    /** Joins the group for these tables instead of the ones before. */
    void follow(Set<String> tables, Assignment assignment);

    /**
     * Waits for records, for at most {@code patience}. A partition that failed is paused until it is started again.
     *
     * @param bytes about how many bytes of records to take at most; one record may be more
     * @throws RuntimeException when nothing can be read through this source any more; another one may
     */
    PolledBatches poll(Duration patience, long bytes);

    /** Reads a partition from there on. */
    void startAt(ShardId shard, StartPosition position);

    void pause(List<ShardId> shards);

    void resume(List<ShardId> shards);

    /**
     * Reports the progress of shards to the group, for observers. Returns at once; a failure has no further effect.
     *
     * @param taken called, from within a later {@link #poll}, when the group has accepted the report; it accepts
     *     reports only from the member that the shards are assigned to
     */
    void note(Map<ShardId, ShardCheckpoint> progress, Runnable taken);

    /** Leaves the group, after a last report. */
    @Override
    void close();
}
