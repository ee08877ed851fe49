package dev.tidemark.worker.testkit;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.Durability;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.QuarantinedName;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardBatch;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardOrigin;
import dev.tidemark.worker.store.ShardStore;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.StoredBytes;

/** A shard in memory. Can be told to fail, and counts its readers. */
public final class InMemoryShardStore implements ShardStore {
    private final ShardDisk disk;
    private final AtomicInteger readers = new AtomicInteger();
    private boolean closed;
    private @Nullable View latest;
    private Optional<RuntimeException> failure = Optional.empty();
    private Optional<RuntimeException> unreadable = Optional.empty();
    private Optional<RuntimeException> unreadableOrigin = Optional.empty();
    private Optional<RuntimeException> unviewable = Optional.empty();
    private Optional<RuntimeException> unscannable = Optional.empty();
    private Optional<RuntimeException> notInMemory = Optional.empty();

    InMemoryShardStore(ShardDisk disk) {
        this.disk = disk;
    }

    /** Makes the next commit fail and change nothing. */
    public void failNextCommit(RuntimeException with) {
        failure = Optional.of(with);
    }

    /** Makes the next look at row states fail. */
    public void failNextRead(RuntimeException with) {
        unreadable = Optional.of(with);
    }

    /** Makes the next look at the origin fail. */
    void failNextOrigin(RuntimeException with) {
        unreadableOrigin = Optional.of(with);
    }

    /** Makes the opening of the next view fail. */
    public void failNextView(RuntimeException with) {
        unviewable = Optional.of(with);
    }

    /** Makes the opening of the next scan of entries fail. */
    public void failNextScan(RuntimeException with) {
        unscannable = Optional.of(with);
    }

    /** Makes scans of entries fail in the views that may read in memory only. */
    public void failInMemory(RuntimeException with) {
        notInMemory = Optional.of(with);
    }

    /** Views and scans that were opened and not closed. */
    int openReaders() {
        return readers.get();
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public ShardOrigin origin() {
        requireOpen();
        Optional<RuntimeException> planned = unreadableOrigin;
        unreadableOrigin = Optional.empty();
        if (planned.isPresent()) {
            throw planned.get();
        }
        return disk.origin();
    }

    @Override
    public ShardCheckpoint checkpoint() {
        requireOpen();
        return disk.checkpoint();
    }

    @Override
    public List<Optional<RowState>> rowStates(List<KeyBytes> primaryKeys) {
        requireOpen();
        if (unreadable.isPresent()) {
            RuntimeException now = unreadable.get();
            unreadable = Optional.empty();
            throw now;
        }
        return primaryKeys.stream()
                .map(key -> Optional.ofNullable(disk.rows().get(key)))
                .toList();
    }

    @Override
    public void commit(ShardBatch batch, Durability durability) {
        requireOpen();
        if (failure.isPresent()) {
            RuntimeException now = failure.get();
            failure = Optional.empty();
            throw now;
        }
        disk.commit(batch, durability);
    }

    @Override
    public void addGenerations(Collection<Long> generations) {
        requireOpen();
        generations.forEach(disk::add);
    }

    @Override
    public void dropGeneration(long generation) {
        requireOpen();
        disk.drop(generation);
    }

    @Override
    public ShardView view() {
        requireOpen();
        Optional<RuntimeException> planned = unviewable;
        unviewable = Optional.empty();
        if (planned.isPresent()) {
            throw planned.get();
        }
        View last = latest;
        if (last == null || !last.shows(disk)) {
            last = new View(disk);
            latest = last;
        }
        readers.incrementAndGet();
        return last;
    }

    @Override
    public void close() {
        closed = true;
    }

    private void requireOpen() {
        if (closed) {
            throw new ShardClosedException("Expected an open shard");
        }
    }

    /** A copy, which is the same one for as long as nothing changes. */
    private final class View implements ShardView {
        private final long version;
        private final ShardCheckpoint checkpoint;
        private final TreeMap<KeyBytes, RowState> rows;
        private final TreeMap<KeyBytes, QuarantinedRecord> quarantine;
        private final Map<Long, NavigableMap<KeyBytes, KeyBytes>> generations = new HashMap<>();
        private final Map<Long, List<RefusedRow>> refused = new HashMap<>();

        View(ShardDisk disk) {
            this.version = disk.version();
            this.checkpoint = disk.checkpoint();
            this.rows = new TreeMap<>(disk.rows());
            this.quarantine = new TreeMap<>(disk.quarantine());
            disk.generations().forEach((id, entries) -> generations.put(id, new TreeMap<>(entries)));
            generations
                    .keySet()
                    .forEach(id -> refused.put(id, List.copyOf(disk.refused(id).values())));
        }

        boolean shows(ShardDisk disk) {
            return version == disk.version();
        }

        @Override
        public ShardCheckpoint checkpoint() {
            return checkpoint;
        }

        @Override
        public EntryScan scan(long generation, KeyRange range, Order order) {
            Optional<RuntimeException> planned = unscannable;
            unscannable = Optional.empty();
            if (planned.isPresent()) {
                throw planned.get();
            }
            NavigableMap<KeyBytes, KeyBytes> entries = generations.get(generation);
            if (range.isEmpty() || entries == null) {
                return EntryScan.NONE;
            }
            NavigableMap<KeyBytes, KeyBytes> block = entries.tailMap(range.fromInclusive(), true);
            KeyBytes end = range.toExclusive();
            block = end == null ? block : block.headMap(end, false);
            return new Scan(List.copyOf((order == Order.ASC ? block : block.descendingMap()).entrySet()), readers);
        }

        @Override
        public ShardView inMemory() {
            notInMemory.ifPresent(InMemoryShardStore.this::failNextScan);
            return this;
        }

        @Override
        public StoredBytes approximateBytes(long generation) {
            long memory = generations.getOrDefault(generation, new TreeMap<>()).entrySet().stream()
                    .mapToLong(
                            entry -> entry.getKey().length() + entry.getValue().length())
                    .sum();
            return new StoredBytes(0, memory);
        }

        @Override
        public RowScan scanRows() {
            return new Rows(List.copyOf(rows.entrySet()), readers);
        }

        @Override
        public List<RefusedRow> refused(long generation, int limit) {
            return refused.getOrDefault(generation, List.of()).stream()
                    .limit(limit)
                    .toList();
        }

        @Override
        public List<Optional<RowVersion>> versions(List<KeyBytes> primaryKeys) {
            return primaryKeys.stream()
                    .map(key -> Optional.ofNullable(rows.get(key)).map(RowState::version))
                    .toList();
        }

        @Override
        public Optional<RowState> rowState(KeyBytes primaryKey) {
            return Optional.ofNullable(rows.get(primaryKey));
        }

        @Override
        public Optional<QuarantinedRecord> quarantined(KeyBytes recordKey) {
            return Optional.ofNullable(quarantine.get(recordKey));
        }

        @Override
        public void quarantine(Predicate<QuarantinedRecord> receiver) {
            for (QuarantinedRecord record : quarantine.values()) {
                if (!receiver.test(record)) {
                    return;
                }
            }
        }

        @Override
        public void quarantinedNames(Predicate<QuarantinedName> receiver) {
            quarantine(record -> receiver.test(QuarantinedName.of(record)));
        }

        @Override
        public void close() {
            readers.decrementAndGet();
        }
    }

    /** A walk over a list. */
    private static final class Scan implements EntryScan {
        private final List<Map.Entry<KeyBytes, KeyBytes>> entries;
        private final AtomicInteger readers;
        private int position;

        Scan(List<Map.Entry<KeyBytes, KeyBytes>> entries, AtomicInteger readers) {
            this.entries = entries;
            this.readers = readers;
            readers.incrementAndGet();
        }

        @Override
        public boolean isValid() {
            return position < entries.size();
        }

        @Override
        public KeyBytes key() {
            return entries.get(position).getKey();
        }

        @Override
        public KeyBytes carried() {
            return entries.get(position).getValue();
        }

        @Override
        public void next() {
            position++;
        }

        @Override
        public void close() {
            readers.decrementAndGet();
        }
    }

    /** A walk over a list of rows. */
    private static final class Rows implements RowScan {
        private final List<Map.Entry<KeyBytes, RowState>> rows;
        private final AtomicInteger readers;
        private int position;

        Rows(List<Map.Entry<KeyBytes, RowState>> rows, AtomicInteger readers) {
            this.rows = rows;
            this.readers = readers;
            readers.incrementAndGet();
        }

        @Override
        public boolean isValid() {
            return position < rows.size();
        }

        @Override
        public KeyBytes primaryKey() {
            return rows.get(position).getKey();
        }

        @Override
        public RowState state() {
            return rows.get(position).getValue();
        }

        @Override
        public void next() {
            position++;
        }

        @Override
        public void close() {
            readers.decrementAndGet();
        }
    }
}
