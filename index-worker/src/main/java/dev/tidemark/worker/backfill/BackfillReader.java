package dev.tidemark.worker.backfill;

import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

import dev.tidemark.catalog.Generation;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.apply.BackfillBatch;
import dev.tidemark.worker.apply.ChangeBatch;
import dev.tidemark.worker.apply.DerivedRow;
import dev.tidemark.worker.apply.LogRecord;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.RetrySchedule;

/**
 * Reads for one shard: the records that were read wait here, row by row, until the shard takes them. Only for the copy
 * thread.
 */
final class BackfillReader {
    /** More than this many rows wait: nothing is read meanwhile. */
    private static final int FULL = 2_000;

    /** A larger piece, unless it is one record, would keep its shard busy for long. */
    private static final long LARGEST_PIECE = 1L << 20;

    /** A piece ends once its rows derive this number of bytes of entries. */
    private static final long MOST_DERIVED = 4L << 20;

    private final OpenShard shard;
    private final int opening;
    private final BackfillPlan plan;
    private final BackfillRows rows;
    private final ArrayDeque<LogRecord> waiting = new ArrayDeque<>();
    private final MemoryBudget.Part memory;
    private final List<MemoryBudget.Reservation> handed = new ArrayList<>();
    private MemoryBudget.Reservation held;
    private long readUpTo;
    private long handedUpTo;
    private boolean ended;
    private final RetrySchedule retries = new RetrySchedule();
    private boolean failed;

    /** A reader that begins at the offset of the plan. */
    BackfillReader(OpenShard shard, int opening, BackfillPlan plan, List<Generation> all, MemoryBudget.Part memory) {
        this.shard = shard;
        this.memory = memory;
        this.held = memory.reserve(0);
        this.opening = opening;
        this.plan = plan;
        this.rows = new BackfillRows(all.stream()
                .filter(generation -> plan.generations().containsKey(generation.id()))
                .toList());
        this.readUpTo = plan.from();
        this.handedUpTo = plan.from();
    }

    OpenShard shard() {
        return shard;
    }

    /** The next offset to read. */
    long position() {
        return readUpTo;
    }

    /** Whether this is still the reading that the shard needs: the same opening, and no other builds. */
    boolean serves(OpenShard other, Map<Long, Instant> generations) {
        return shard == other
                && opening == other.openings()
                && plan.generations().entrySet().containsAll(generations.entrySet());
    }

    /**
     * Whether nothing should be read for now.
     *
     * @param roomy whether there is memory for more than a record of each shard
     */
    boolean rests(boolean roomy, Instant now) {
        handed.removeIf(piece -> piece.bytes() == 0);
        boolean busy = !waiting.isEmpty() || !handed.isEmpty();
        return ended || (busy && !roomy) || !retries.isDue(now) || waiting.size() > FULL || readUpTo >= plan.end();
    }

    /** What the shard lacks cannot be read, neither now nor later. */
    void end(String reason) {
        ended = true;
        Set<Long> generations = plan.generations().keySet();
        shard.ask(applier -> applier.giveUp(generations, reason));
    }

    /** The partition cannot be read at the moment. */
    void failed(Instant now) {
        retries.failed(now);
        failed = true;
    }

    /** Whether a partition that failed is to be read once more, which it is taken to be from now on. */
    boolean isTriedAgain(Instant now) {
        boolean due = failed && retries.isDue(now);
        failed &= !due;
        return due;
    }

    /** Takes what was read. */
    void add(ChangeBatch batch) {
        retries.succeeded();
        batch.records().stream()
                .filter(record -> record.offset() >= readUpTo && record.offset() < plan.end())
                .forEach(waiting::add);
        hold();
        readUpTo = Math.max(readUpTo, batch.nextOffset());
    }

    /**
     * The number of records in the next piece: at most {@code most}, and at most {@code LARGEST_PIECE} bytes unless it
     * is a single record.
     */
    int next(int most) {
        long bytes = 0;
        int count = 0;
        for (LogRecord record : waiting) {
            bytes += record.heldBytes();
            if (count == most || (count > 0 && bytes > LARGEST_PIECE)) {
                break;
            }
            count++;
        }
        return count;
    }

    /**
     * Passes the next piece to the shard.
     *
     * @return the number of its records, which may be less than {@link #next} where they derive much, and is 0 where
     *     only the position moved; empty where there was no piece
     */
    OptionalInt handOver(int most) {
        if (handedUpTo >= readUpTo) {
            return OptionalInt.empty();
        }
        List<LogRecord> piece = new ArrayList<>();
        List<BackfillBatch.Row> read = new ArrayList<>();
        long derived = 0;
        long from = handedUpTo;
        for (int left = next(most); left > 0 && derived < MOST_DERIVED; left--) {
            LogRecord record = waiting.remove();
            handedUpTo = record.offset() + 1;
            piece.add(record);
            Optional<BackfillBatch.Row> row = rows.read(record);
            row.ifPresent(read::add);
            derived += row.map(BackfillReader::bytes).orElse(0L);
        }
        if (waiting.isEmpty()) {
            handedUpTo = readUpTo;
        }
        MemoryBudget.Reservation taken = memory.reserve(bytes(piece) + derived);
        handed.add(taken);
        hold();
        BackfillBatch batch = new BackfillBatch(plan.generations(), from, read, handedUpTo);
        shard.ask(applier -> {
            try {
                applier.copy(batch);
            } finally {
                taken.close();
            }
        });
        return OptionalInt.of(piece.size());
    }

    /** Nothing of it is needed any more. */
    void close() {
        held.close();
        handed.forEach(MemoryBudget.Reservation::close);
    }

    private void hold() {
        held.close();
        held = memory.reserve(bytes(waiting));
    }

    private static long bytes(BackfillBatch.Row row) {
        return row.derived().values().stream().mapToLong(DerivedRow::bytes).sum();
    }

    /** Bytes of records, and of the entries that each generation derives from them. */
    private long bytes(Collection<LogRecord> records) {
        return records.stream().mapToLong(LogRecord::heldBytes).sum()
                * (1 + plan.generations().size());
    }
}
