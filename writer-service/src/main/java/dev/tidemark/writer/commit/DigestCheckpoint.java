package dev.tidemark.writer.commit;

import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.digest.Digest;

/**
 * What the tables give to the digests of their indexes at one commit position. It lacks digests that are not known.
 *
 * @param number greater than that of every checkpoint that this process made before
 * @param at the position: every change up to it counts, and none after it
 * @param sums by table, then by partition, then by the number of the generation
 */
public record DigestCheckpoint(long number, CommitPosition at, Map<String, List<SortedMap<Long, Digest>>> sums) {
    public DigestCheckpoint {
        sums = Map.copyOf(sums);
    }

    /** The digests of one partition; none where nothing is known. */
    public SortedMap<Long, Digest> of(String table, int partition) {
        List<SortedMap<Long, Digest>> partitions = sums.getOrDefault(table, List.of());
        return partition < partitions.size()
                ? partitions.get(partition)
                : Collections.unmodifiableSortedMap(new TreeMap<>());
    }
}
