package dev.tidemark.worker.store;

import java.util.List;

/** What shards have left that are not open. For any thread. */
public interface Leftovers {
    /** All there are at the moment. May take as long as it takes to look at every file of theirs. */
    List<Leftover> find();

    /**
     * Removes one of them.
     *
     * @return false when its shard is open by now, and then nothing was removed
     */
    boolean remove(Leftover leftover);
}
