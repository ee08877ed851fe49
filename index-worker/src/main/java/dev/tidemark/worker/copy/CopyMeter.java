package dev.tidemark.worker.copy;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.worker.shard.CopyProgress;
import dev.tidemark.worker.store.ShardId;

/** How far the shards are that this worker takes from others, and how much it took. Written by their takers alone. */
public final class CopyMeter {
    private final Map<ShardId, CopyProgress> underWay = new ConcurrentHashMap<>();
    private final Map<String, Long> taken = new ConcurrentHashMap<>();

    /**
     * A copy begins, or begins again after a break.
     *
     * @param present bytes of it that are here from before
     */
    void begin(ShardId shard, URI from, long present, long bytes) {
        underWay.put(shard, new CopyProgress(from, present, bytes));
    }

    /** Bytes of a copy have come. */
    void take(ShardId shard, long bytes) {
        taken.merge(DerivedTable.base(shard.table()), bytes, Long::sum);
        add(shard, bytes);
    }

    /** Bytes of a copy that had come are removed. */
    void remove(ShardId shard, long bytes) {
        add(shard, -bytes);
    }

    private void add(ShardId shard, long bytes) {
        underWay.computeIfPresent(
                shard,
                (same, before) -> new CopyProgress(before.from(), before.copiedBytes() + bytes, before.copyBytes()));
    }

    /** A copy is whole, or given up. */
    void end(ShardId shard) {
        underWay.remove(shard);
    }

    /** How far the copy of a shard is; empty while there is none. */
    Optional<CopyProgress> progress(ShardId shard) {
        return Optional.ofNullable(underWay.get(shard));
    }

    /** Bytes that have come of shards of a table, and of those derived from it, since the process began. */
    long takenBytes(String table) {
        return taken.getOrDefault(table, 0L);
    }
}
