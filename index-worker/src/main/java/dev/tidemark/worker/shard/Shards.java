package dev.tidemark.worker.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import java.util.stream.IntStream;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.catalog.DesiredTable;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.worker.apply.ShardStatus;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardId;

/**
 * The shards of this process. The poll thread adds and removes; each apply thread works on its own share, on which a
 * shard stays until it is closed, so that a partition that goes and comes back is closed before it is opened again.
 */
public final class Shards {
    private final Supplier<Definitions> definitions;
    private final ShardOpener opener;
    private final ProgressSignal progress;
    private final Clock clock;
    private final ConcurrentSkipListMap<ShardId, OpenShard> assigned = new ConcurrentSkipListMap<>();
    private final List<Share> shares;

    private final ShardThreads threads;

    /** What one apply thread works on, and the signal that wakes it. */
    private record Share(CopyOnWriteArrayList<OpenShard> shards, ProgressSignal progressSignal) {
        boolean hasWork() {
            return shards.stream().anyMatch(OpenShard::hasWork);
        }

        /** The shard of that name that came last and is not forgotten yet. */
        Optional<OpenShard> last(ShardId id) {
            return shards.stream().filter(shard -> shard.id().equals(id)).reduce((first, second) -> second);
        }
    }

    /**
     * No shards yet.
     *
     * @param definitions gives those in force
     * @param progress rung when readers may see something new
     * @param applying how many apply threads there are
     * @param threads what opens and closes shards
     */
    public Shards(
            Supplier<Definitions> definitions,
            ShardOpener opener,
            ProgressSignal progress,
            Clock clock,
            int applying,
            ShardThreads threads) {
        this.definitions = definitions;
        this.opener = opener;
        this.progress = progress;
        this.clock = clock;
        this.threads = threads;
        this.shares = IntStream.range(0, applying)
                .mapToObj(thread -> new Share(new CopyOnWriteArrayList<>(), new ProgressSignal()))
                .toList();
    }

    /** The definitions in force. */
    public Definitions definitions() {
        return definitions.get();
    }

    /** Takes on a shard that was just assigned. */
    public OpenShard assign(ShardId id) {
        DesiredTable first = definitions
                .get()
                .table(id.table())
                .orElseThrow(() -> new IllegalArgumentException("Expected a table of the catalog, but got " + id));
        Share share = shares.get(Math.floorMod(id.hashCode(), shares.size()));
        OpenShard shard = new OpenShard(
                id,
                () -> definitions.get().table(id.table()).orElse(first),
                opener,
                progress,
                share.progressSignal(),
                () -> pausedSince(id.table()).isPresent(),
                clock,
                threads,
                share.last(id));
        assigned.put(id, shard);
        share.shards().add(shard);
        share.progressSignal().ring();
        return shard;
    }

    /** Lets go of a shard; it is closed soon after. */
    public void revoke(ShardId id) {
        OpenShard shard = assigned.remove(id);
        if (shard != null) {
            shard.requestClose();
        }
    }

    /** Has a shard built from the beginning of its topic, because it is wrong; nothing where it is not assigned. */
    public void rebuild(ShardId id, String reason) {
        find(id).ifPresent(shard -> shard.requestRebuild(reason));
    }

    /** Since when the shards of a table are stopped; empty while they are not. For any thread. */
    public Optional<Instant> pausedSince(TableDefinition table) {
        return pausedSince(table.name());
    }

    private Optional<Instant> pausedSince(String table) {
        return definitions.get().table(table).flatMap(DesiredTable::pausedSince);
    }

    /** The shards assigned, in the order of table and partition. */
    public Collection<OpenShard> assigned() {
        return Collections.unmodifiableCollection(assigned.values());
    }

    /** The shard of that name, where it is assigned. */
    public Optional<OpenShard> find(ShardId id) {
        return Optional.ofNullable(assigned.get(id));
    }

    /** Whether a shard of that name is this process's, or is one that it has not closed yet. */
    public boolean isHeld(ShardId id) {
        return shares.stream().anyMatch(share -> share.last(id).isPresent());
    }

    /** The shards of one table, in the order of partitions. */
    public List<OpenShard> of(TableDefinition table) {
        return List.copyOf(assigned.subMap(new ShardId(table.name(), 0), new ShardId(table.name(), Integer.MAX_VALUE))
                .values());
    }

    /** The same, and the shards of the tables that are derived from it, which hold its other indexes. */
    public List<OpenShard> withDerived(TableDefinition table) {
        return assigned.values().stream()
                .filter(shard -> DerivedTable.base(shard.id().table()).equals(table.name()))
                .toList();
    }

    /** How far a shard is that is being taken from another worker; empty where it is not. */
    public Optional<CopyProgress> copying(ShardId id) {
        return opener.copies().progress(id);
    }

    /** Bytes of shards of a table, and of those derived from it, that were taken from others since the start. */
    public long takenBytes(TableDefinition table) {
        return opener.copies().takenBytes(table.name());
    }

    /** The last known checkpoints of the shards of one table, in the order of partitions. */
    public List<ShardCheckpoint> checkpoints(TableDefinition table) {
        return of(table).stream()
                .flatMap(shard -> shard.status().stream())
                .map(ShardStatus::checkpoint)
                .toList();
    }

    /** The shards that an apply thread works on, those being closed included. */
    public List<OpenShard> share(int thread) {
        return shares.get(thread).shards();
    }

    /** Waits until an apply thread may have work, up to the timeout. */
    public void awaitWork(int thread, Duration patience) throws InterruptedException {
        Share share = shares.get(thread);
        share.progressSignal().await(share::hasWork, patience);
    }

    /** Takes a closed shard off its thread's share. */
    public void forget(int thread, OpenShard shard) {
        shares.get(thread).shards().remove(shard);
    }
}
