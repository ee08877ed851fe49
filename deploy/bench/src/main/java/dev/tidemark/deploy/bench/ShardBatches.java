package dev.tidemark.deploy.bench;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.function.LongFunction;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.SteadyClock;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.LogRecord;

/** Changes as the first partition of the topic would have them, without a topic. */
final class ShardBatches {
    /** Records in a batch. */
    static final int SIZE = 500;

    private ShardBatches() {}

    /**
     * Batches of changes to the rows that belong to the first partition.
     *
     * @param customers the row that the change of a number writes
     * @param changes how many there are in all
     * @param alike how many of them one commit made
     */
    static List<ChangeBatch> of(TableDefinition table, LongFunction<CustomerRow> customers, int changes, int alike)
            throws Exception {
        ChangeCodec codec = new ChangeCodec(table.name());
        Instant time = new SteadyClock().instant();
        List<ChangeBatch> batches = new ArrayList<>();
        List<LogRecord> records = new ArrayList<>();
        for (long number = 0, offset = 0; offset < changes; number++) {
            RowDocument row = RowDocument.parse(customers.apply(number).bytes());
            KeyBytes key = table.keyOf(row.tree());
            if (table.partitionOf(key) == 0) {
                RowVersion version = new RowVersion(1, offset + 1);
                long commit = offset / alike;
                Instant committed = time.plus(Duration.ofNanos(1_000 * commit));
                ChangeEvent event = new ChangeEvent.Upserted(key, version, committed, UpsertKind.UPDATE, row);
                records.add(new LogRecord(offset, published(codec.encode(event), commit)));
                offset++;
                if (records.size() == SIZE) {
                    batches.add(new ChangeBatch(records, offset, OptionalInt.empty()));
                    records = new ArrayList<>();
                }
            }
        }
        return batches;
    }

    /** With the times that the relay adds to a change: like the commit time, the same for all changes of one commit. */
    private static WireRecord published(WireRecord record, long commit) {
        Map<String, String> headers = new HashMap<>(record.headers());
        headers.put(PublishTimings.HEADER, new PublishTimings(100 + commit % 7, 200 + commit % 11).text());
        return new WireRecord(record.key(), record.value(), headers);
    }
}
