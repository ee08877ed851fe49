package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/** Due tombstones on an {@link InMemoryDisk}. */
public final class InMemoryTombstones implements Tombstones {
    private final InMemoryDisk disk;

    public InMemoryTombstones(InMemoryDisk disk) {
        this.disk = disk;
    }

    @Override
    public List<Tombstone> due(Instant until, Optional<Tombstone> after, int limit) {
        synchronized (disk) {
            return after.map(last -> disk.tombstones.tailSet(last, false)).orElse(disk.tombstones).stream()
                    .takeWhile(tombstone -> !tombstone.deletedAt().isAfter(until))
                    .limit(limit)
                    .toList();
        }
    }

    @Override
    public boolean isSuperseded(Tombstone tombstone) {
        synchronized (disk) {
            return disk.tombstones.tailSet(tombstone, false).stream()
                    .anyMatch(later -> later.table().equals(tombstone.table())
                            && later.partition() == tombstone.partition()
                            && later.key().equals(tombstone.key()));
        }
    }

    @Override
    public void remove(List<Tombstone> done) {
        synchronized (disk) {
            disk.unsynced(() -> done.forEach(disk.tombstones::remove), () -> disk.tombstones.addAll(done));
        }
    }
}
