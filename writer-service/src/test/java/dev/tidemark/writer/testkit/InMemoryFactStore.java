package dev.tidemark.writer.testkit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.change.ChangeEvent;
import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.StoredRow;
import dev.tidemark.writer.outbox.Tombstone;

/**
 * The fact tables on an {@link InMemoryDisk}. Its methods are synchronized on the disk, so that any thread may read.
 */
public final class InMemoryFactStore implements FactStore {
    private final InMemoryDisk disk;

    /** What this process wrote, with its digests. */
    private final Map<RowVersion, StoredRow> written = new HashMap<>();

    public InMemoryFactStore(InMemoryDisk disk) {
        this.disk = disk;
    }

    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        synchronized (disk) {
            disk.requireReadable(key);
            return disk.rows(table).get(key);
        }
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        StoredRow found = find(table, key);
        if (found == null) {
            return null;
        }
        StoredRow own = written.get(found.version());
        return own != null && Arrays.equals(own.row().bytes(), found.row().bytes()) ? own : found;
    }

    @Override
    public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
        synchronized (disk) {
            disk.lookUp();
            List<@Nullable StoredRow> rows = new ArrayList<>();
            keys.forEach(key -> rows.add(disk.rows(table).get(key)));
            return rows;
        }
    }

    @Override
    public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
        synchronized (disk) {
            NavigableMap<KeyBytes, StoredRow> rows = disk.rows(table);
            NavigableMap<KeyBytes, StoredRow> rest = afterKey == null ? rows : rows.tailMap(afterKey, false);
            List<KeyedRow> page = new ArrayList<>();
            long bytes = 0;
            for (Map.Entry<KeyBytes, StoredRow> row : rest.entrySet()) {
                if (page.size() == limit || bytes >= maxBytes) {
                    return new ScanPage(page, true);
                }
                page.add(new KeyedRow(row.getKey(), row.getValue()));
                bytes += row.getValue().row().bytes().length;
            }
            return new ScanPage(page, false);
        }
    }

    @Override
    public FactSnapshot snapshot(String table) {
        synchronized (disk) {
            List<KeyedRow> rows = new ArrayList<>();
            disk.rows(table).forEach((key, row) -> rows.add(new KeyedRow(key, row)));
            return new InMemoryFactSnapshot(disk.lastCommit, rows.iterator());
        }
    }

    @Override
    public Optional<SourcePosition> sourcePosition(String source) {
        synchronized (disk) {
            return Optional.ofNullable(disk.sources.get(source)).map(SourcePosition::of);
        }
    }

    @Override
    public CommitPosition lastCommit() {
        synchronized (disk) {
            CommitPosition last = disk.lastCommit;
            return disk.reserveTimestamps.isAfter(last.time())
                    ? new CommitPosition(last.version(), disk.reserveTimestamps)
                    : last;
        }
    }

    @Override
    public void commit(FactBatch batch) {
        synchronized (disk) {
            disk.synced(() -> {
                batch.changes().forEach(this::apply);
                disk.lastCommit = batch.through();
                disk.digests.putAll(batch.digests());
                batch.sources().forEach((name, position) -> disk.sources.put(name, position.toBytes()));
            });
            batch.changes().forEach(this::remember);
        }
    }

    @Override
    public void reserveTimestamps(Instant time) {
        synchronized (disk) {
            disk.synced(() -> disk.reserveTimestamps = time);
        }
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        synchronized (disk) {
            disk.synced(() -> disk.lastCommit = at);
        }
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        synchronized (disk) {
            return Map.copyOf(disk.digests);
        }
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        synchronized (disk) {
            Map<DigestKey, Digest> before = Map.copyOf(disk.digests);
            disk.unsynced(
                    () -> {
                        disk.digests.keySet().removeIf(key -> gone.contains(key.generation()));
                        disk.digests.putAll(known);
                    },
                    () -> {
                        disk.digests.clear();
                        disk.digests.putAll(before);
                    });
        }
    }

    private void apply(CommittedChange change) {
        ChangeEvent event = change.event();
        disk.outbox.put(
                change.sequence(),
                new CommittedChange(change.table(), change.partition(), event).placed(change.placements()));
        disk.tombstones.addAll(Tombstone.of(change));
        if (event instanceof ChangeEvent.Upserted upserted) {
            disk.rows(change.table())
                    .put(event.key(), new StoredRow(event.version(), event.committedAt(), onDisk(upserted.row())));
        } else {
            disk.rows(change.table()).remove(event.key());
        }
    }

    private void remember(CommittedChange change) {
        if (change.event() instanceof ChangeEvent.Upserted row) {
            written.put(
                    row.version(),
                    new StoredRow(row.version(), row.committedAt(), onDisk(row.row()), change.digests()));
        }
    }

    /** Bytes alone, as a disk has them. */
    private static RowDocument onDisk(RowDocument row) {
        return RowDocument.stored(row.bytes());
    }
}
