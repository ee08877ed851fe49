package dev.tidemark.deploy.kills;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.change.WireRecord;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;

/** What a change makes of a row in a shard. One generation stays, another is replaced every so many batches. */
final class ShardRows {
    /** The generation that stays. */
    static final long STEADY = 1;

    private static final int BATCHES_OF_A_GENERATION = 60;
    private static final int ONE_IN_SYNCED = 7;
    private static final Instant NOON = Instant.parse("2026-01-01T12:00:00Z");
    private static final int CARRIED_BYTES = 48;

    private ShardRows() {}

    /** The generation that is there besides while a batch is written. */
    static long passing(long batch) {
        return STEADY + 1 + batch / BATCHES_OF_A_GENERATION;
    }

    /**
     * Whether a batch survives a power cut: those with another generation have to, and some others do, so that there is
     * something left.
     */
    static boolean isSynced(long batch) {
        return passing(batch) != passing(batch - 1) || batch % ONE_IN_SYNCED == 0;
    }

    /** The newest batch up to that one which is synced; 0 for none. */
    static long newestSynced(long batch) {
        long newest = batch;
        while (newest > 0 && !isSynced(newest)) {
            newest--;
        }
        return newest;
    }

    static KeyBytes key(int row) {
        return KeyBytes.wrap(ByteBuffer.allocate(Integer.BYTES).putInt(row).array());
    }

    static RowVersion version(long sequence) {
        return new RowVersion(1, sequence);
    }

    /** When the change of a sequence came about. */
    static Instant timeOf(long sequence) {
        return NOON.plusSeconds(sequence);
    }

    /** What is known of the row afterwards; empty when it was forgotten. */
    static Optional<RowState> state(Touch touch) {
        RowVersion version = version(touch.sequence());
        return switch (touch.oneOf(16, 1)) {
            case 0 -> Optional.empty();
            case 1, 2 -> Optional.of(RowState.without(version, Standing.DELETED));
            case 3 -> Optional.of(RowState.without(version, Standing.POISONED_AT));
            default -> Optional.of(live(touch, version));
        };
    }

    /** The record that is in quarantine afterwards; empty for none. */
    static Optional<QuarantinedRecord> quarantined(Touch touch) {
        return state(touch)
                .filter(RowState::isPoisoned)
                .map(poisoned -> new QuarantinedRecord(
                        touch.sequence(),
                        new WireRecord(key(touch.row()), carried(touch), Map.of("n", "1")),
                        "bad",
                        NOON));
    }

    /** What the entries of the row carry. */
    static KeyBytes carried(Touch touch) {
        return KeyBytes.wrap(text(touch).getBytes(StandardCharsets.US_ASCII));
    }

    /** Some text that tells one change from the others. */
    static String text(Touch touch) {
        StringBuilder text = new StringBuilder();
        for (long i = 0; text.length() < CARRIED_BYTES; i++) {
            text.append(Long.toHexString(Script.mixed(touch.chance() + i)));
        }
        return text.toString();
    }

    private static RowState live(Touch touch, RowVersion version) {
        Entries one = touch.oneOf(8, 2) == 0 ? Entries.refused("too long") : entries(touch, 1);
        long batch = (touch.sequence() - 1) / Script.CHANGES + 1;
        return new RowState(
                version, Standing.LIVE, Map.of(STEADY, entries(touch, touch.oneOf(4, 3)), passing(batch), one));
    }

    private static Entries entries(Touch touch, int count) {
        List<KeyBytes> keys = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            keys.add(KeyBytes.wrap(ByteBuffer.allocate(2)
                    .put((byte) i)
                    .put((byte) touch.oneOf(100, 4 + i))
                    .array()));
        }
        return new Entries(keys, count == 0 ? 0 : touch.chance(), Optional.empty());
    }
}
