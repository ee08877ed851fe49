package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;

/** One partition of a compacted topic: appends, reads from an offset on, compaction, and expiry of tombstones. */
final class SimulatedPartition {
    private final NavigableMap<Long, Stored> records = new TreeMap<>();
    private final NavigableMap<Integer, Long> epochs = new TreeMap<>(Map.of(0, 0L));
    private long startOffset;
    private long endOffset;

    /** A record, when it was appended, and when it may go if it is a tombstone that has been cleaned once. */
    private record Stored(WireRecord record, Instant appendedAt, Instant horizon) {}

    void append(WireRecord record, Instant now) {
        records.put(endOffset++, new Stored(record, now, Instant.MAX));
    }

    /** The first offset that can be read. */
    long startOffset() {
        return startOffset;
    }

    long endOffset() {
        return endOffset;
    }

    /** Epoch of the leader, which is another one after records were lost. */
    int leaderEpoch() {
        return epochs.lastKey();
    }

    /**
     * The broker's machine lost its power: the newest records are gone, acknowledged or not. What was appended at or
     * before some time had been written to its disk, and stays.
     */
    void lose(int count, Instant writtenBack) {
        for (int i = 0; i < count && !records.isEmpty() && records.lastKey() == endOffset - 1; i++) {
            if (!records.lastEntry().getValue().appendedAt().isAfter(writtenBack)) {
                break;
            }
            records.pollLastEntry();
            endOffset--;
        }
        int next = leaderEpoch() + 1;
        // Of leaders whose every record is gone nothing is known any more, as in Kafka's checkpoint of leader epochs.
        epochs.values().removeIf(start -> start >= endOffset);
        epochs.put(next, endOffset);
    }

    /** Somebody has the oldest records deleted, those before some offset. */
    void curtail(long before) {
        records.headMap(before, false).clear();
        startOffset = Math.max(startOffset, before);
    }

    /** Whether a record of that key is at an offset. */
    boolean holds(long offset, KeyBytes key) {
        Stored stored = records.get(offset);
        return stored != null && stored.record().key().equals(key);
    }

    /**
     * Whether somebody who has read up to an offset, when a leader of that epoch was there, has read what was lost
     * since.
     */
    boolean hasLost(long offset, int epoch) {
        Map.Entry<Integer, Long> next = epochs.higherEntry(epoch);
        return offset > endOffset || (next != null && next.getValue() < offset);
    }

    /**
     * At most so many records from an offset on, by offset; gaps are what compaction took.
     *
     * @throws IllegalStateException when the offset is before the first that can be read
     */
    List<Map.Entry<Long, WireRecord>> read(long fromOffset, int most) {
        if (fromOffset < startOffset) {
            throw new IllegalStateException(
                    "offset " + fromOffset + " is out of range, which begins at " + startOffset);
        }
        return records.tailMap(fromOffset, true).entrySet().stream()
                .limit(most)
                .map(entry -> Map.entry(entry.getKey(), entry.getValue().record()))
                .toList();
    }

    /**
     * Removes records whose key comes again later, as far as both are older than the lag. A tombstone goes once the
     * retention has passed since the first cleaning that met it. Like Kafka's cleaner it may stop anywhere.
     */
    void compact(Instant now, Duration minLag, Duration tombstoneRetention, Random random) {
        long dirtyEnd = records.entrySet().stream()
                .filter(entry -> entry.getValue().appendedAt().isAfter(now.minus(minLag)))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElse(endOffset);
        long stop = dirtyEnd == 0 ? 0 : random.nextLong(dirtyEnd + 1);
        Set<KeyBytes> seenLater = new HashSet<>();
        for (Map.Entry<Long, Stored> entry :
                List.copyOf(records.headMap(stop, false).descendingMap().entrySet())) {
            Stored stored = entry.getValue();
            boolean superseded = !seenLater.add(stored.record().key());
            if (superseded || stored.horizon().isBefore(now)) {
                records.remove(entry.getKey());
            } else if (stored.record().value() == null && stored.horizon().equals(Instant.MAX)) {
                Instant horizon = now.plus(tombstoneRetention);
                records.put(entry.getKey(), new Stored(stored.record(), stored.appendedAt(), horizon));
            }
        }
    }
}
