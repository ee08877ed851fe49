package dev.tidemark.worker.copy;

import java.io.IOException;
import java.net.URI;
import java.util.function.BooleanSupplier;

import dev.tidemark.worker.store.ShardId;

/** Asks other workers for copies of shards. Every call waits; {@code goOn} is asked meanwhile whether to. */
public interface CopyHolders {
    /**
     * Has a worker make a copy.
     *
     * @throws CopyRefusedException when it does not
     * @throws IOException when there is no whole answer
     */
    CopyList list(URI worker, ShardId shard, BooleanSupplier goOn)
            throws IOException, CopyRefusedException, InterruptedException;

    /**
     * Bytes of a file of a copy, at least one and as many as the worker wants to give.
     *
     * @param from position of the first of them
     * @throws CopyRefusedException when there are none at the moment
     * @throws IOException when there is no whole answer, or the worker has no such copy any more
     */
    byte[] read(URI worker, CopyHead copy, CopiedFile file, long from, BooleanSupplier goOn)
            throws IOException, CopyRefusedException, InterruptedException;

    /** Releases a copy at its holder, and does not wait for an answer. */
    void release(URI worker, CopyHead copy);
}
