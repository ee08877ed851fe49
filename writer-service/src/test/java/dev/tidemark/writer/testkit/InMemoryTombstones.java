package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.List;

import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/** Due tombstones on an {@link InMemoryDisk}. */
public final class InMemoryTombstones implements Tombstones {
    private final InMemoryDisk disk;

    public InMemoryTombstones(InMemoryDisk disk) {
        this.disk = disk;
    }

    @Override
    public List<Tombstone> due(Instant until, int limit) {
        synchronized (disk) {
            return disk.tombstones.values().stream()
                    .takeWhile(tombstone -> !tombstone.deletedAt().isAfter(until))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public boolean isSuperseded(Tombstone tombstone) {
        synchronized (disk) {
            return disk.tombstones.tailMap(tombstone.version().sequence(), false).values().stream()
                    .anyMatch(later -> later.table().equals(tombstone.table())
                            && later.key().equals(tombstone.key()));
        }
    }

    @Override
    public void remove(List<Tombstone> done) {
        synchronized (disk) {
            disk.unsynced(
                    () -> done.forEach(tombstone ->
                            disk.tombstones.remove(tombstone.version().sequence())),
                    () -> done.forEach(
                            tombstone -> disk.tombstones.put(tombstone.version().sequence(), tombstone)));
        }
    }
}
