package dev.tidemark.worker.testkit;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardStores;

/** Shards in memory, which outlive their being open. Not for several threads. */
public final class InMemoryShardStores implements ShardStores {
    private final Map<ShardId, ShardDisk> disks = new HashMap<>();
    private final Map<ShardId, InMemoryShardStore> open = new HashMap<>();
    private final Map<ShardId, ShardDisk> kept = new HashMap<>();
    private final Map<ShardId, InMemoryShardStore> openKept = new HashMap<>();
    private Optional<RuntimeException> unreadableOrigin = Optional.empty();
    private Optional<RuntimeException> unreadableKeptOrigin = Optional.empty();
    private Optional<RuntimeException> unkeepable = Optional.empty();

    @Override
    public ShardStore open(ShardId id, ShardOrigin origin) {
        InMemoryShardStore before = open.get(id);
        if (before != null && !before.isClosed()) {
            throw new IllegalStateException("Expected " + id + " to be closed before it is opened again");
        }
        ShardDisk disk = disks.computeIfAbsent(id, absent -> new ShardDisk(origin));
        disk.tidy();
        InMemoryShardStore store = new InMemoryShardStore(disk);
        unreadableOrigin.ifPresent(store::failNextOrigin);
        unreadableOrigin = Optional.empty();
        open.put(id, store);
        return store;
    }

    @Override
    public void drop(ShardId id) {
        InMemoryShardStore before = open.get(id);
        if (before != null && !before.isClosed()) {
            throw new IllegalStateException("Expected " + id + " to be closed before it is dropped");
        }
        disks.remove(id);
    }

    @Override
    public void keep(ShardId id) {
        requireKeepable();
        ShardDisk disk = disks.get(id);
        if (disk != null) {
            kept.computeIfAbsent(id, absent -> disk.copy());
        }
    }

    @Override
    public Optional<ShardStore> kept(ShardId id) {
        requireKeepable();
        ShardDisk disk = kept.get(id);
        InMemoryShardStore before = openKept.get(id);
        if (disk == null || (before != null && !before.isClosed())) {
            return Optional.empty();
        }
        InMemoryShardStore store = new InMemoryShardStore(disk);
        unreadableKeptOrigin.ifPresent(store::failNextOrigin);
        unreadableKeptOrigin = Optional.empty();
        openKept.put(id, store);
        return Optional.of(store);
    }

    @Override
    public void dropKept(ShardId id) {
        requireKeepable();
        InMemoryShardStore before = openKept.get(id);
        if (before != null && !before.isClosed()) {
            throw new IllegalStateException("Expected what is kept of " + id + " to be closed before it is dropped");
        }
        kept.remove(id);
    }

    /** Whether something is kept of a shard. */
    public boolean keeps(ShardId id) {
        return kept.containsKey(id);
    }

    /** Changes entries behind the back of whoever has the shard, as a fault of the disk would. */
    public void meddle(ShardId id, IndexMutation... mutations) {
        ShardDisk disk = disks.get(id);
        if (disk == null) {
            throw new IllegalArgumentException("Expected a shard, but there is no " + id);
        }
        disk.commit(new ShardBatch(List.of(mutations), Map.of(), Map.of(), disk.checkpoint()), Durability.PROCESS);
    }

    /** Makes the next shard that is opened fail as it is asked for its origin. */
    public void failNextOrigin(RuntimeException with) {
        unreadableOrigin = Optional.of(with);
    }

    /** Makes the next predecessor that is opened fail as it is asked for its origin. */
    public void failNextKeptOrigin(RuntimeException with) {
        unreadableKeptOrigin = Optional.of(with);
    }

    /** Makes everything fail that concerns predecessors, until it is called with nothing. */
    public void failKeeping(Optional<RuntimeException> with) {
        unkeepable = with;
    }

    private void requireKeepable() {
        if (unkeepable.isPresent()) {
            throw unkeepable.get();
        }
    }

    /** A shard that is open. */
    public InMemoryShardStore opened(ShardId id) {
        InMemoryShardStore store = open.get(id);
        if (store == null || store.isClosed()) {
            throw new IllegalArgumentException("Expected a shard that is open, but got " + id);
        }
        return store;
    }

    /** Views and scans of shards that were opened and not closed, since each shard was opened last. */
    public int openReaders() {
        return open.values().stream().mapToInt(InMemoryShardStore::openReaders).sum();
    }

    /** Where a shard goes on, as its disk has it; 0 where there is none. */
    public long position(ShardId id) {
        ShardDisk disk = disks.get(id);
        return disk == null ? 0 : disk.checkpoint().nextOffset();
    }

    /** Whether there is anything of a shard. */
    public boolean has(ShardId id) {
        return disks.containsKey(id);
    }

    /**
     * Ends whoever has the shard open.
     *
     * @param lostCommits how many of the newest commits a power cut takes; 0 for the end of the process alone
     */
    public void crash(ShardId id, int lostCommits) {
        InMemoryShardStore before = open.remove(id);
        if (before != null) {
            before.close();
        }
        InMemoryShardStore predecessor = openKept.remove(id);
        if (predecessor != null) {
            predecessor.close();
        }
        ShardDisk disk = disks.get(id);
        if (disk != null) {
            disk.lose(lostCommits);
        }
    }
}
