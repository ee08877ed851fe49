package dev.tidemark.worker.rocks;

import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksDatabase;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.rocks.RocksView;
import dev.tidemark.worker.store.QuarantinedName;
import dev.tidemark.worker.store.QuarantinedRecord;

/** Gives names to what an older version of this program has put into a shard's quarantine. */
final class QuarantineNames {
    private static final int BATCH = 1_000;

    private QuarantineNames() {}

    /** Names every record, unless that was done before. Begun again where it was interrupted. */
    static void complete(RocksDatabase database, ShardTables tables) {
        if (database.get(tables.meta, ShardTables.NAMED_KEY) != null) {
            return;
        }
        try (RocksView view = database.view();
                RocksScan scan = view.scan(tables.quarantine, KeyRange.ALL, Order.ASC)) {
            boolean left = true;
            while (left) {
                try (RocksBatch batch = new RocksBatch()) {
                    for (int i = 0; i < BATCH && scan.isValid(); i++, scan.next()) {
                        QuarantinedRecord record = QuarantineCodec.read(scan.value());
                        byte[] name = QuarantineCodec.write(QuarantinedName.of(record));
                        batch.put(
                                tables.quarantined,
                                ShardTables.nameKey(record.record().key()),
                                name);
                    }
                    left = scan.isValid();
                    if (!left) {
                        batch.put(tables.meta, ShardTables.NAMED_KEY, new byte[0]);
                    }
                    database.write(batch, false);
                }
            }
        }
    }
}
