package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;

import org.jspecify.annotations.Nullable;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksTable;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.rocks.TableDroppedException;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationGoneException;
import dev.tidemark.worker.store.QuarantinedName;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.StoredBytes;

/** A snapshot of a shard's database, which others may read at the same time. */
final class RocksShardView implements ShardView {
    private final SharedViews views;
    private final SharedViews.Shared shared;
    private final RocksView view;
    private final RowVersions versions;
    private final ShardTables tables;
    private final StoreFailures failures;
    private boolean inMemory;
    private boolean closed;

    /** One of the views, which it gives back as it is closed. */
    RocksShardView(SharedViews views, RowVersions versions, ShardTables tables, StoreFailures failures) {
        this.views = views;
        this.shared = views.take();
        this.view = shared.view;
        this.versions = versions;
        this.tables = tables;
        this.failures = failures;
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return shared.checkpoint;
    }

    @Override
    public EntryScan scan(long generation, KeyRange range, Order order) {
        RocksTable table = tables.generation(generation).orElse(null);
        if (table == null) {
            if (checkpoint().generation(generation).isPresent()) {
                throw new GenerationGoneException(generation);
            }
            return EntryScan.NONE;
        }
        return failures.named(() -> {
            try {
                return new Scan(view.shortScan(table, range, order, inMemory), failures);
            } catch (TableDroppedException e) {
                throw new GenerationGoneException(generation);
            }
        });
    }

    @Override
    public StoredBytes approximateBytes(long generation) {
        return tables.generation(generation)
                .map(table -> failures.named(() -> {
                    try {
                        return new StoredBytes(view.approximateFileBytes(table), view.approximateMemoryBytes(table));
                    } catch (TableDroppedException e) {
                        return StoredBytes.NONE;
                    }
                }))
                .orElse(StoredBytes.NONE);
    }

    @Override
    public RowScan scanRows() {
        return new Scan(failures.named(() -> view.scan(tables.rows, KeyRange.ALL, Order.ASC)), failures);
    }

    @Override
    public List<RefusedRow> refused(long generation, int limit) {
        List<RefusedRow> rows = new ArrayList<>();
        failures.run(() -> {
            try (RocksScan scan = view.scan(tables.refused, ShardTables.refusedBy(generation), Order.ASC)) {
                for (; scan.isValid() && rows.size() < limit; scan.next()) {
                    RecordReader in = new RecordReader(scan.value());
                    rows.add(new RefusedRow(ShardTables.refusedRow(scan.key()), in.version(), in.text()));
                }
            }
        });
        return rows;
    }

    @Override
    public List<Optional<RowVersion>> versions(List<KeyBytes> primaryKeys) {
        @Nullable RowVersion[] found = new RowVersion[primaryKeys.size()];
        versions.find(shared.moment, primaryKeys, found);
        if (Arrays.asList(found).contains(null)) {
            failures.run(() -> lookUp(primaryKeys, found));
        }
        List<Optional<RowVersion>> all = new ArrayList<>(found.length);
        for (RowVersion version : found) {
            all.add(Optional.ofNullable(version));
        }
        return all;
    }

    /** Looks each row up once, and alone: many at once would be read with all their keys, which may be megabytes. */
    private void lookUp(List<KeyBytes> primaryKeys, @Nullable RowVersion[] found) {
        Map<KeyBytes, RowVersion> read = new LinkedHashMap<>();
        for (int i = 0; i < found.length; i++) {
            if (found[i] == null) {
                KeyBytes key = primaryKeys.get(i);
                found[i] = read.computeIfAbsent(key, this::stored);
            }
        }
        versions.keep(shared.moment, List.copyOf(read.keySet()), List.copyOf(read.values()));
    }

    private @Nullable RowVersion stored(KeyBytes key) {
        byte[] state = view.beginning(tables.rows, key.array(), RowStateCodec.VERSION_BYTES, inMemory);
        return state == null ? null : RowStateCodec.readVersion(state);
    }

    @Override
    public Optional<RowState> rowState(KeyBytes primaryKey) {
        return failures.named(() ->
                Optional.ofNullable(view.get(tables.rows, primaryKey.array())).map(RowStateCodec::read));
    }

    @Override
    public Optional<QuarantinedRecord> quarantined(KeyBytes recordKey) {
        return failures.named(() -> Optional.ofNullable(view.get(tables.quarantine, recordKey.array()))
                .map(QuarantineCodec::read));
    }

    @Override
    public void quarantine(Predicate<QuarantinedRecord> receiver) {
        pass(tables.quarantine, QuarantineCodec::read, receiver);
    }

    @Override
    public void quarantinedNames(Predicate<QuarantinedName> receiver) {
        pass(tables.quarantined, QuarantineCodec::readName, receiver);
    }

    private <T> void pass(RocksTable table, Function<byte[], T> codec, Predicate<T> receiver) {
        failures.run(() -> {
            try (RocksScan scan = view.scan(table, KeyRange.ALL, Order.ASC, inMemory)) {
                while (scan.isValid() && receiver.test(codec.apply(scan.value()))) {
                    scan.next();
                }
            }
        });
    }

    @Override
    public ShardView inMemory() {
        inMemory = true;
        return this;
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            views.giveBack(shared);
        }
    }

    /** A walk over the entries of an index, or over the row states. */
    private record Scan(RocksScan scan, StoreFailures failures) implements EntryScan, RowScan {
        @Override
        public boolean isValid() {
            return failures.named(scan::isValid);
        }

        @Override
        public KeyBytes key() {
            return KeyBytes.wrap(scan.key());
        }

        @Override
        public KeyBytes carried() {
            return KeyBytes.wrap(scan.value());
        }

        @Override
        public KeyBytes primaryKey() {
            return KeyBytes.wrap(scan.key());
        }

        @Override
        public RowState state() {
            return failures.named(() -> RowStateCodec.read(scan.value()));
        }

        @Override
        public void next() {
            scan.next();
        }

        @Override
        public void close() {
            scan.close();
        }
    }
}
