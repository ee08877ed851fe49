package dev.tidemark.worker.store;

import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;

/**
 * The durable state of one shard.
 *
 * <ul>
 *   <li>A batch that {@link #commit} returned from survives the end of the process. A power cut may undo the newest
 *       ones, always as a suffix: what is left is what some earlier commit left.
 *   <li>{@code commit} is called by one thread at a time; everything else by any thread.
 *   <li>{@code close} waits for views to be closed.
 * </ul>
 */
public interface ShardStore extends AutoCloseable {
    /** What the shard was built from. */
    ShardOrigin origin();

    /** How far the last commit came; that of an empty shard before the first. */
    ShardCheckpoint checkpoint();

    /** The states of rows, in the order of the keys; empty for a row that is not known. */
    List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys);

    void commit(ShardBatch batch);

    /** A consistent view of now. Close it soon: it keeps old data alive. */
    ShardView view();

    @Override
    void close();
}
