package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

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
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RefusedRow;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardView;
import dev.tidemark.worker.store.StoredBytes;

/** A snapshot of a shard's database. */
final class RocksShardView implements ShardView {
    private final RocksView view;
    private final ShardTables tables;
    private final Failures failures;

    RocksShardView(RocksView view, ShardTables tables, Failures failures) {
        this.view = view;
        this.tables = tables;
        this.failures = failures;
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return failures.named(() -> RocksShardStore.checkpoint(view.get(tables.meta, ShardTables.CHECKPOINT_KEY)));
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
                return new Scan(view.scan(table, range, order), failures);
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
        return new Rows(failures.named(() -> view.scan(tables.rows, KeyRange.ALL, Order.ASC)), failures);
    }

    @Override
    public List<RefusedRow> refused(long generation, int limit) {
        List<RefusedRow> rows = new ArrayList<>();
        failures.run(() -> {
            try (RocksScan scan = view.scan(tables.refused, ShardTables.refusedBy(generation), Order.ASC)) {
                for (; scan.isValid() && rows.size() < limit; scan.next()) {
                    rows.add(RefusedCodec.read(scan.key(), scan.value()));
                }
            }
        });
        return rows;
    }

    @Override
    public List<Optional<RowVersion>> versions(List<KeyBytes> primaryKeys) {
        List<byte[]> keys = primaryKeys.stream().map(KeyBytes::array).toList();
        return failures.named(() -> view.multiGet(tables.rows, keys).stream()
                .map(bytes -> Optional.ofNullable(bytes).map(RowStateCodec::readVersion))
                .toList());
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
    public List<QuarantinedRecord> quarantine(int limit) {
        List<QuarantinedRecord> records = new ArrayList<>();
        failures.run(() -> {
            try (RocksScan scan = view.scan(tables.quarantine, KeyRange.ALL, Order.ASC)) {
                for (; scan.isValid() && records.size() < limit; scan.next()) {
                    records.add(QuarantineCodec.read(scan.value()));
                }
            }
        });
        return records;
    }

    @Override
    public void close() {
        view.close();
    }

    /** A walk over an index's table. */
    private static final class Scan implements EntryScan {
        private final RocksScan scan;
        private final Failures failures;

        Scan(RocksScan scan, Failures failures) {
            this.scan = scan;
            this.failures = failures;
        }

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
        public void next() {
            scan.next();
        }

        @Override
        public void close() {
            scan.close();
        }
    }

    /** A walk over the row states. */
    private record Rows(RocksScan scan, Failures failures) implements RowScan {
        @Override
        public boolean isValid() {
            return failures.named(scan::isValid);
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
