package dev.tidemark.worker.lag;

import java.util.Collection;
import java.util.Map;

import dev.tidemark.worker.store.ShardId;

/** Where partitions end. May block for seconds. */
public interface EndOffsets {
    /**
     * The first offset of each partition that is not written yet.
     *
     * @throws RuntimeException when nothing can be asked at all
     */
    Ends endOffsets(Collection<ShardId> shards);

    /**
     * Ends of partitions.
     *
     * @param found the ends that the brokers returned
     * @param unanswered why the other ends are unknown
     */
    record Ends(Map<ShardId, Long> found, Map<ShardId, String> unanswered) {
        public Ends {
            found = Map.copyOf(found);
            unanswered = Map.copyOf(unanswered);
        }
    }
}
