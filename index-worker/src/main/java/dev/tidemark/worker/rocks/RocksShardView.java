package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardCheckpoint;
import dev.tidemark.worker.store.ShardView;

/** A snapshot of a shard's database. */
final class RocksShardView implements ShardView {
    private final RocksView view;
    private final ShardTables tables;

    RocksShardView(RocksView view, ShardTables tables) {
        this.view = view;
        this.tables = tables;
    }

    @Override
    public ShardCheckpoint checkpoint() {
        return RocksShardStore.checkpoint(
                Failures.named(() -> view.get(tables.meta, ShardTables.CHECKPOINT_KEY)), tables.indexes.size());
    }

    @Override
    public EntryScan scan(int index, KeyRange range, Order order) {
        return new Scan(Failures.named(() -> view.scan(tables.indexes.get(index), range, order)));
    }

    @Override
    public List<Optional<RowVersion>> versions(List<KeyBytes> primaryKeys) {
        List<byte[]> keys = primaryKeys.stream().map(KeyBytes::array).toList();
        return Failures.named(() -> view.multiGet(tables.rows, keys).stream()
                .map(bytes -> Optional.ofNullable(bytes).map(RowStateCodec::readVersion))
                .toList());
    }

    @Override
    public Optional<RowState> rowState(KeyBytes primaryKey) {
        return Optional.ofNullable(Failures.named(() -> view.get(tables.rows, primaryKey.array())))
                .map(RowStateCodec::read);
    }

    @Override
    public Optional<QuarantinedRecord> quarantined(KeyBytes recordKey) {
        return Optional.ofNullable(Failures.named(() -> view.get(tables.quarantine, recordKey.array())))
                .map(QuarantineCodec::read);
    }

    @Override
    public List<QuarantinedRecord> quarantine(int limit) {
        List<QuarantinedRecord> records = new ArrayList<>();
        Failures.run(() -> {
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

        Scan(RocksScan scan) {
            this.scan = scan;
        }

        @Override
        public boolean isValid() {
            return Failures.named(scan::isValid);
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
}
