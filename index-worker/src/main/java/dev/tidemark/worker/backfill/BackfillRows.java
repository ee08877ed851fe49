package dev.tidemark.worker.backfill;

import java.util.Collection;
import java.util.Optional;

import dev.tidemark.catalog.Generation;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.UpsertReader;
import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.worker.apply.BackfillBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.RowDeriver;

/** The function from records that are read again to the entries of their rows in some generations. For any thread. */
public final class BackfillRows {
    private final RowDeriver deriver;
    private final UpsertReader upserts;

    public BackfillRows(Collection<Generation> generations) {
        this.deriver = new RowDeriver(generations);
        this.upserts = new UpsertReader(deriver.fields());
    }

    /** The row that a record brings; empty where it brings none. */
    public Optional<BackfillBatch.Row> read(LogRecord logged) {
        WireRecord record = logged.record();
        try {
            Optional<PartialRow> row = upserts.read(record);
            if (row.isEmpty()) {
                return Optional.empty();
            }
            KeyBytes key = record.key();
            return Optional.of(new BackfillBatch.Row(key, ChangeCodec.version(record), deriver.derive(key, row.get())));
        } catch (MalformedChangeException e) {
            // The live path has it in quarantine: its row has no entries in any generation.
            return Optional.empty();
        }
    }
}
