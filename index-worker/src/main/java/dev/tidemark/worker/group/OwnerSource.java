package dev.tidemark.worker.group;

import java.util.Collection;
import java.util.List;
import java.util.Set;

/** Reads the notes of all workers. */
public interface OwnerSource {
    /**
     * What workers have noted.
     *
     * @param owners several of one shard where there are several replica groups
     * @param live replica groups that have members, also where none of these has noted anything yet
     * @param whole whether each of these could be read this time, and all of them are known
     */
    record Reading(List<Owner> owners, Set<String> live, boolean whole) {}

    /**
     * Returns the owners of the shards of some tables.
     *
     * @throws RuntimeException when they cannot be read at the moment
     */
    Reading read(Collection<String> tables) throws InterruptedException;
}
