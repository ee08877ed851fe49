package dev.tidemark.worker.forecast;

import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.SortedSet;
import java.util.TreeSet;

import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.change.ChangeCodec;
import dev.tidemark.change.ChangeEvent;
import dev.tidemark.change.PublishTimings;
import dev.tidemark.change.UpsertKind;
import dev.tidemark.change.WireRecord;
import dev.tidemark.index.EntryDeriver;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.PartialRow;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowFields;
import dev.tidemark.row.RowVersion;

/** Adds up the records of sampled rows in the topic of one global index. Belongs to one thread. */
final class PlacementForecaster {
    private static final Instant FIRST_COMMIT = Instant.parse("2026-01-01T00:00:00Z");
    private static final long COMMIT_DISTANCE_NANOS = 13_000;
    private static final long FIRST_VERSION = 1_000_000;

    /** Lengths, and distances from the first record of a batch, differ too much to be packed well. */
    private static final int FRAME_BYTES = 4;

    private final EntryDeriver deriver;
    private final RowFields key;
    private final ChangeCodec codec;
    private final PackedSize packed = PackedSize.ofTopic();
    private SortedSet<Integer> last = new TreeSet<>();
    private long rows;
    private long records;
    private long moved;
    private long bytes;

    /**
     * No row yet.
     *
     * @param key the fields of the primary key
     */
    PlacementForecaster(EntryDeriver deriver, RowFields key) {
        this.deriver = deriver;
        this.key = key;
        // The number of the generation is not known yet, and is about as long.
        this.codec = new ChangeCodec(
                new DerivedTable(deriver.index().table(), deriver.index().name(), 1).name());
    }

    /** Takes a row of the sample into account. */
    void row(KeyBytes primaryKey, RowDocument row) {
        rows++;
        SortedSet<Integer> partitions = deriver.partitions(primaryKey, PartialRow.of(row));
        SortedSet<Integer> both = new TreeSet<>(partitions);
        both.addAll(last);
        last = partitions;
        moved += both.size();
        if (!partitions.isEmpty()) {
            KeyBytes record = published(primaryKey, row);
            records += partitions.size();
            bytes += (long) partitions.size() * (primaryKey.length() + record.length());
            packed.add(primaryKey, record);
        }
    }

    /** A record of the fill behind its key. Versions and times have as many digits that differ as in a topic. */
    private KeyBytes published(KeyBytes primaryKey, RowDocument row) {
        Instant committed = FIRST_COMMIT.plusNanos(rows * COMMIT_DISTANCE_NANOS);
        WireRecord record = codec.encode(new ChangeEvent.Upserted(
                primaryKey,
                new RowVersion(1, FIRST_VERSION + rows),
                committed,
                UpsertKind.READ,
                deriver.projected(row, key)));
        String timings = new PublishTimings(rows * 7 % 10_000, rows * 11 % 10_000).text();
        String headers = record.headers() + PublishTimings.HEADER + timings;
        KeyBytes around = KeyBytes.wrap(headers.getBytes(StandardCharsets.UTF_8));
        KeyBytes value = record.value();
        return value == null ? around : around.concat(value);
    }

    /**
     * The forecast for the whole table.
     *
     * @param fraction the part of the table's rows that was read
     */
    IndexForecast.Placements forecast(double fraction) {
        double all = Math.max(1, rows);
        return new IndexForecast.Placements(
                deriver.index().partitions(),
                records / all,
                moved / all,
                Math.round(IndexForecaster.whole(bytes, fraction) * packed.ratio()
                        + IndexForecaster.whole(records * FRAME_BYTES, fraction)));
    }
}
