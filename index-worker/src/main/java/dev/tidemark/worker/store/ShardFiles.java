package dev.tidemark.worker.store;

import java.nio.file.Path;
import java.util.SortedMap;

/** Shards as files, which one worker copies to another. For any thread, one for each shard and each copy. */
public interface ShardFiles {
    /** The number of the format of everything in the files. */
    int format();

    /**
     * Makes a copy of a shard as of now, whether it is open or not. Others go on to read and write.
     *
     * @param to the directory of the copy, which must be absent
     * @return false where there is nothing of the shard
     * @throws ShardClosedException when the shard is just being opened or closed
     */
    boolean copy(ShardId id, Path to);

    /** The files that make up a copy, by name, with their bytes. */
    SortedMap<String, Long> files(Path copy);

    /**
     * Opens a copy and reads what it is.
     *
     * @throws ShardDamagedException when it is not what was written
     * @throws RuntimeException when it cannot be opened
     */
    ShardContents contents(Path copy);

    /** Makes a directory for the files of a shard that come from elsewhere; what came before may be in it. */
    Path arriving(ShardId id);

    /** Puts what has arrived in the place of what was there of the shard, which must be closed. */
    void arrived(ShardId id);

    /**
     * Ends what {@link #arriving} began.
     *
     * @param remove whether what has arrived goes, too; what stays goes when leftovers are removed next
     */
    void notArriving(ShardId id, boolean remove);
}
