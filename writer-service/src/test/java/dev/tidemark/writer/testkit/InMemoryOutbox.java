package dev.tidemark.writer.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.TreeMap;

import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.outbox.Outbox;

/** The outbox on an {@link InMemoryDisk}. */
public final class InMemoryOutbox implements Outbox {
    private final InMemoryDisk disk;

    public InMemoryOutbox(InMemoryDisk disk) {
        this.disk = disk;
    }

    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        synchronized (disk) {
            List<CommittedChange> page = new ArrayList<>();
            long bytes = 0;
            for (CommittedChange change : disk.outbox
                    .tailMap(Math.max(sequence, disk.lowWater), false)
                    .values()) {
                if (page.size() == maxEntries || bytes >= maxBytes) {
                    break;
                }
                page.add(change);
                bytes += change.bytes();
            }
            return page;
        }
    }

    @Override
    public long publishedThrough() {
        synchronized (disk) {
            return Math.max(disk.lowWater, disk.published);
        }
    }

    @Override
    public void markPublished(long sequence) {
        synchronized (disk) {
            long before = disk.published;
            disk.unsynced(() -> disk.published = sequence, () -> disk.published = before);
        }
    }

    @Override
    public void makeMarksDurable() {
        synchronized (disk) {
            disk.synced(() -> {});
        }
    }

    @Override
    public long lowWaterMark() {
        synchronized (disk) {
            return disk.lowWater;
        }
    }

    @Override
    public void trim(long throughSequence) {
        synchronized (disk) {
            if (throughSequence > publishedThrough()) {
                throw new IllegalArgumentException("Expected to trim what is published, but got " + throughSequence);
            }
            if (throughSequence <= disk.lowWater) {
                return;
            }
            long before = disk.lowWater;
            NavigableMap<Long, CommittedChange> gone = new TreeMap<>(disk.outbox.headMap(throughSequence, true));
            disk.unsynced(
                    () -> {
                        disk.outbox.headMap(throughSequence, true).clear();
                        disk.lowWater = throughSequence;
                    },
                    () -> {
                        disk.outbox.putAll(gone);
                        disk.lowWater = before;
                    });
        }
    }
}
