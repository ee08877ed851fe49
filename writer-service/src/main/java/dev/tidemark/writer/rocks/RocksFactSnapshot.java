package dev.tidemark.writer.rocks;

import org.jspecify.annotations.Nullable;

import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.KeyedRow;

/** A walk through one table, and the commit point as the same view of the database shows it. */
final class RocksFactSnapshot implements FactSnapshot {
    private final CommitPosition point;
    private final RocksView view;
    private final RocksScan scan;

    RocksFactSnapshot(CommitPosition point, RocksView view, RocksScan scan) {
        this.point = point;
        this.view = view;
        this.scan = scan;
    }

    @Override
    public CommitPosition point() {
        return point;
    }

    @Override
    public @Nullable KeyedRow next() {
        if (!scan.isValid()) {
            return null;
        }
        KeyedRow row = new KeyedRow(RowFormat.primaryKey(scan.key()), RowFormat.row(scan.value()));
        scan.next();
        return row;
    }

    @Override
    public void close() {
        scan.close();
        view.close();
    }
}
