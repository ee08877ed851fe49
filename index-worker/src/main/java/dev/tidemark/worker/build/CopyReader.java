package dev.tidemark.worker.build;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Generation;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.MalformedChangeException;
import dev.tidemark.change.UpsertReader;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.CopyBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.apply.RowDeriver;
import dev.tidemark.worker.lifecycle.LiveShard;

/** The reading for one shard: what was read waits here, row by row, until the shard takes it. Only for the copy thread. */
final class CopyReader {
    /** More than this many rows wait: nothing is read meanwhile. */
    private static final int FULL = 4_000;

    private final LiveShard shard;
    private final int opening;
    private final CopyPlan plan;
    private final RowDeriver deriver;
    private final UpsertReader upserts;
    private final ArrayDeque<LogRecord> waiting = new ArrayDeque<>();
    private long readUpTo;
    private long handedUpTo;

    /** A reading that begins where the plan says. */
    CopyReader(LiveShard shard, int opening, CopyPlan plan, List<Generation> all) {
        this.shard = shard;
        this.opening = opening;
        this.plan = plan;
        this.deriver = new RowDeriver(all.stream()
                .filter(generation -> plan.generations().containsKey(generation.id()))
                .toList());
        this.upserts = new UpsertReader(deriver.fields());
        this.readUpTo = plan.from();
        this.handedUpTo = plan.from();
    }

    LiveShard shard() {
        return shard;
    }

    /** Where reading goes on. */
    long position() {
        return readUpTo;
    }

    /** Whether this is still the reading that the shard needs: the same opening, and no other builds. */
    boolean serves(LiveShard other, Map<Long, Instant> generations) {
        return shard == other
                && opening == other.openings()
                && plan.generations().entrySet().containsAll(generations.entrySet());
    }

    /** Whether nothing should be read for now. */
    boolean rests() {
        return waiting.size() > FULL || readUpTo >= plan.end();
    }

    /** Takes what was read. */
    void add(ChangeBatch batch) {
        batch.records().stream()
                .filter(record -> record.offset() >= readUpTo && record.offset() < plan.end())
                .forEach(waiting::add);
        readUpTo = Math.max(readUpTo, batch.nextOffset());
    }

    /** How many records the next piece would have. */
    int next(int most) {
        return Math.min(most, waiting.size());
    }

    /** The next piece for the shard; null when there is none. */
    @Nullable
    CopyBatch take(int most) {
        if (handedUpTo >= readUpTo) {
            return null;
        }
        List<CopyBatch.Row> rows = new ArrayList<>();
        long from = handedUpTo;
        for (int i = 0; i < most && !waiting.isEmpty(); i++) {
            LogRecord record = waiting.remove();
            handedUpTo = record.offset() + 1;
            add(record, rows);
        }
        if (waiting.isEmpty()) {
            handedUpTo = readUpTo;
        }
        return new CopyBatch(from, rows, handedUpTo);
    }

    private void add(LogRecord record, List<CopyBatch.Row> rows) {
        try {
            Optional<PartialRow> row = upserts.read(record.record());
            if (row.isPresent()) {
                KeyBytes key = record.record().key();
                RowVersion version = ChangeCodec.version(record.record());
                rows.add(new CopyBatch.Row(key, version, deriver.derive(key, row.get())));
            }
        } catch (MalformedChangeException e) {
            // The live path has it in quarantine: its row has no entries in any generation.
            return;
        }
    }
}
