package dev.tidemark.worker.group;

import java.net.URI;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

import dev.tidemark.progress.OffsetNote;
import dev.tidemark.worker.store.ShardCheckpoint;

/**
 * A worker, as others see it.
 *
 * @param url where others reach it
 * @param instance name of its data directory
 */
public record WorkerIdentity(URI url, String instance) {
    /** Whether an address stands for any address of the machine, so that no other machine can reach it. */
    public static boolean isWildcard(URI url) {
        return Set.of("0.0.0.0", "[::]", "[0:0:0:0:0:0:0:0]").contains(String.valueOf(url.getHost()));
    }

    /** What it notes of a shard. */
    public OffsetNote note(ShardCheckpoint checkpoint) {
        return new OffsetNote(
                checkpoint.progress(),
                url,
                instance,
                checkpoint.generations().keySet().stream()
                        .filter(checkpoint::serves)
                        .collect(Collectors.toCollection(TreeSet::new)));
    }
}
