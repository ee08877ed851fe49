package dev.tidemark.worker.build;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.CopyBatch;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.lifecycle.LiveShard;

/** The reading for one shard: what was read waits here, row by row, until the shard takes it. Only for the copy thread. */
final class CopyReader {
    /** More than this many rows wait: nothing is read meanwhile. */
    private static final int FULL = 2_000;

    private final LiveShard shard;
    private final int opening;
    private final CopyPlan plan;
    private final CopyRows rows;
    private final ArrayDeque<LogRecord> waiting = new ArrayDeque<>();
    private long readUpTo;
    private long handedUpTo;

    /** A reading that begins where the plan says. */
    CopyReader(LiveShard shard, int opening, CopyPlan plan, List<Generation> all) {
        this.shard = shard;
        this.opening = opening;
        this.plan = plan;
        this.rows = new CopyRows(all.stream()
                .filter(generation -> plan.generations().containsKey(generation.id()))
                .toList());
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
        List<LogRecord> piece = new ArrayList<>();
        long from = handedUpTo;
        for (int i = 0; i < most && !waiting.isEmpty(); i++) {
            LogRecord record = waiting.remove();
            handedUpTo = record.offset() + 1;
            piece.add(record);
        }
        if (waiting.isEmpty()) {
            handedUpTo = readUpTo;
        }
        return new CopyBatch(from, rows.read(piece), handedUpTo);
    }
}
