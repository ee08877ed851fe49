package dev.tidemark.writer.rocks;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.rocks.RocksBatch;
import dev.tidemark.rocks.RocksScan;
import dev.tidemark.writer.outbox.Tombstone;
import dev.tidemark.writer.outbox.Tombstones;

/** Deletes whose rows are to be forgotten, in RocksDB, in the order in which they fall due. */
public final class RocksTombstones implements Tombstones {
    private final WriterDatabase writer;
    private KeyBytes from = KeyBytes.EMPTY;

    public RocksTombstones(WriterDatabase writer) {
        this.writer = writer;
    }

    @Override
    public List<Tombstone> due(Instant until, Optional<Tombstone> after, int limit) {
        if (until.isBefore(Instant.EPOCH)) {
            // Keys are unsigned, and a time before 1970 would be after all of them.
            return List.of();
        }
        KeyBytes begin =
                after.map(last -> KeyBytes.wrap(TombstoneFormat.key(last))).orElse(from);
        long end = Bytes.micros(until.truncatedTo(ChronoUnit.MICROS)) + 1;
        KeyRange range = new KeyRange(begin, KeyBytes.wrap(Bytes.ofLong(end)));
        List<Tombstone> due = new ArrayList<>();
        if (range.isEmpty()) {
            return due;
        }
        try (RocksScan scan = writer.database.scan(writer.tombstones, range, Order.ASC)) {
            if (scan.isValid() && after.isEmpty()) {
                // Later looks begin here, instead of walking over the marks that those before it have left.
                from = KeyBytes.wrap(scan.key());
            }
            for (; scan.isValid() && due.size() < limit; scan.next()) {
                Tombstone tombstone = TombstoneFormat.tombstone(writer.registry, scan.key(), scan.value());
                if (!after.equals(Optional.of(tombstone))) {
                    due.add(tombstone);
                }
            }
        }
        return due;
    }

    @Override
    public boolean isSuperseded(Tombstone tombstone) {
        byte[] newest = writer.database.get(writer.deleted, row(tombstone));
        return newest != null && Bytes.toLong(newest) > tombstone.version().sequence();
    }

    @Override
    public void remove(List<Tombstone> done) {
        try (RocksBatch batch = new RocksBatch()) {
            for (Tombstone tombstone : done) {
                batch.delete(writer.tombstones, TombstoneFormat.key(tombstone));
                if (!isSuperseded(tombstone)) {
                    batch.delete(writer.deleted, row(tombstone));
                }
            }
            writer.database.write(batch, false);
        }
    }

    private byte[] row(Tombstone tombstone) {
        return TombstoneFormat.row(writer.registry, tombstone);
    }
}
