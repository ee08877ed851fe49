package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.index.Absence;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.store.ShardDamagedException;

/**
 * Row states: version, standing, then per index the keys and what they carry; then the times, and for a live row per index
 * without entries the reason. The version comes first to be read alone.
 */
final class RowStateCodec {
    private RowStateCodec() {}

    static byte[] write(RowState state) {
        RecordWriter out = new RecordWriter().version(state.version()).number(code(state.standing()));
        out.number(state.indexes().size());
        for (Entries entries : state.indexes()) {
            out.number(entries.keys().size());
            entries.keys().forEach(out::bytes);
            out.bytes(entries.carried());
        }
        writeTimes(out, state.times());
        if (state.standing() == Standing.LIVE) {
            state.indexes().stream()
                    .filter(entries -> entries.keys().isEmpty())
                    .forEach(entries -> out.number(code(entries.absence())));
        }
        return out.toBytes();
    }

    static RowState read(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        RowVersion version = in.version();
        Standing standing = standing(in.number());
        int indexes = in.count();
        List<Entries> all = new ArrayList<>(indexes);
        for (int i = 0; i < indexes; i++) {
            int size = in.count();
            List<KeyBytes> keys = new ArrayList<>(size);
            for (int k = 0; k < size; k++) {
                keys.add(in.bytes());
            }
            all.add(new Entries(keys, in.bytes(), Optional.empty()));
        }
        Optional<Times> times = readTimes(in);
        if (standing == Standing.LIVE) {
            all.replaceAll(entries -> entries.keys().isEmpty()
                    ? new Entries(List.of(), entries.carried(), absence(in.number()))
                    : entries);
        }
        return new RowState(version, standing, all, times);
    }

    static RowVersion readVersion(byte[] bytes) {
        return new RecordReader(bytes).version();
    }

    /** The difference is small, and may be negative where clocks disagree. */
    private static void writeTimes(RecordWriter out, Optional<Times> times) {
        if (times.isEmpty()) {
            out.number(0);
            return;
        }
        long committed = times.get().committedMillis();
        out.number(1 + folded(committed)).number(folded(times.get().appliedMillis() - committed));
    }

    private static Optional<Times> readTimes(RecordReader in) {
        long first = in.number();
        if (first == 0) {
            return Optional.empty();
        }
        long committed = unfolded(first - 1);
        return Optional.of(new Times(committed, committed + unfolded(in.number())));
    }

    /** Small for numbers near zero of either sign. */
    private static long folded(long number) {
        return number << 1 ^ number >> 63;
    }

    private static long unfolded(long number) {
        return number >>> 1 ^ -(number & 1);
    }

    /** Frozen: on disk. */
    private static long code(Optional<Absence> absence) {
        if (absence.isEmpty()) {
            return 0;
        }
        return absence.get() instanceof Absence.Filtered filtered
                ? 1 + 2L * filtered.condition()
                : 2 + 2L * ((Absence.NoValue) absence.get()).part();
    }

    private static Optional<Absence> absence(long code) {
        if (code == 0) {
            return Optional.empty();
        }
        int position = (int) (code - 1) / 2;
        return Optional.of(code % 2 == 1 ? new Absence.Filtered(position) : new Absence.NoValue(position));
    }

    /** Frozen: on disk. */
    private static int code(Standing standing) {
        return switch (standing) {
            case LIVE -> 1;
            case DELETED -> 2;
            case POISONED_AT -> 3;
            case POISONED_PAST -> 4;
        };
    }

    private static Standing standing(long code) {
        for (Standing standing : Standing.values()) {
            if (code(standing) == code) {
                return standing;
            }
        }
        throw new ShardDamagedException("Expected the standing of a row, but got " + code);
    }
}
