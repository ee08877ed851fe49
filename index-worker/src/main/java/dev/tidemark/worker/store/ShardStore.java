package dev.tidemark.worker.store;

import java.util.Collection;
import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;

/**
 * The durable state of one shard.
 *
 * <ul>
 *   <li>A batch that {@link #commit} returned from survives the end of the process. A power cut may undo the newest
 *       ones, always as a suffix: what is left is what some earlier commit left.
 *   <li>{@code rowStates}, {@code commit}, {@code addGenerations}, {@code dropGeneration} and {@code close} are called
 *       by one thread at a time; everything else by any thread.
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

    /** Applies a batch; the generations that it mentions must have been added. */
    void commit(ShardBatch batch, Durability durability);

    /** The same, to survive the end of the process. */
    default void commit(ShardBatch batch) {
        commit(batch, Durability.PROCESS);
    }

    /**
     * Makes room for the entries of generations, where there is none yet. A shard opened again keeps of them only what
     * the checkpoint names by then.
     */
    void addGenerations(Collection<Long> generations);

    /**
     * Removes a generation with all it holds, at once and for good; does nothing where it is not. The checkpoint must
     * not name it any more, in a commit that survives a power cut. Views opened before may find it gone.
     */
    void dropGeneration(long generation);

    /** A consistent view of now. Close it soon: it keeps old data alive. */
    ShardView view();

    @Override
    void close();
}
