package dev.tidemark.worker.group;

import java.util.Collection;
import java.util.List;

/** Reads the notes of all workers. */
public interface OwnerSource {
    /**
     * Returns the owners of the shards of some tables; several of one shard where there are several replica groups.
     *
     * @throws RuntimeException when they cannot be read at the moment
     */
    List<Owner> read(Collection<String> tables) throws InterruptedException;
}
