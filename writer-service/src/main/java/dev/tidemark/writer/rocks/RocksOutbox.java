package dev.tidemark.writer.rocks;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.writer.commit.CommittedChange;
import dev.tidemark.writer.outbox.Outbox;

/**
 * The outbox in RocksDB. Reads seek straight to where they begin, and never before the low-water mark, so that what was
 * trimmed costs them nothing.
 */
public final class RocksOutbox implements Outbox {
    private final WriterDatabase writer;
    private volatile long published;
    private volatile long lowWater;

    public RocksOutbox(WriterDatabase writer) {
        this.writer = writer;
        this.lowWater = mark(MetaKeys.LOW_WATER);
        this.published = Math.max(lowWater, mark(MetaKeys.PUBLISHED));
    }

    @Override
    public List<CommittedChange> readAfter(long sequence, int maxEntries, long maxBytes) {
        long first = Math.max(sequence, lowWater) + 1;
        KeyRange range = new KeyRange(KeyBytes.wrap(ChangeFormat.key(first)), null);
        List<CommittedChange> changes = new ArrayList<>();
        long bytes = 0;
        try (RocksScan scan = writer.database.scan(writer.outbox, range, Order.ASC)) {
            for (; scan.isValid() && changes.size() < maxEntries && bytes < maxBytes; scan.next()) {
                byte[] value = scan.value();
                changes.add(ChangeFormat.change(writer.registry, scan.key(), value));
                bytes += value.length;
            }
        }
        return changes;
    }

    @Override
    public long publishedThrough() {
        return published;
    }

    @Override
    public void markPublished(long sequence) {
        published = sequence;
        mark(sequence, false);
    }

    @Override
    public void makeMarksDurable() {
        mark(published, true);
    }

    @Override
    public long lowWaterMark() {
        return lowWater;
    }

    @Override
    public void trim(long throughSequence) {
        if (throughSequence > published) {
            throw new IllegalArgumentException(
                    "Expected to trim no further than " + published + ", but got " + throughSequence);
        }
        if (throughSequence <= lowWater) {
            return;
        }
        KeyRange gone = new KeyRange(
                KeyBytes.wrap(ChangeFormat.key(lowWater)), KeyBytes.wrap(ChangeFormat.key(throughSequence + 1)));
        // Together: without the mark, the rest would be taken for every change since the first.
        try (RocksBatch batch = new RocksBatch()) {
            batch.deleteRange(writer.outbox, gone).put(writer.meta, MetaKeys.LOW_WATER, Bytes.ofLong(throughSequence));
            writer.database.write(batch, false);
        }
        lowWater = throughSequence;
    }

    private long mark(byte[] key) {
        byte[] stored = writer.database.get(writer.meta, key);
        return stored == null ? 0 : Bytes.toLong(stored);
    }

    private void mark(long sequence, boolean durably) {
        writer.database.put(writer.meta, MetaKeys.PUBLISHED, Bytes.ofLong(sequence), durably);
    }
}
