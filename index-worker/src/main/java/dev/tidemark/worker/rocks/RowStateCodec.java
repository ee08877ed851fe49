package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.index.Absence;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.RowState.Times;
import dev.tidemark.worker.store.ShardDamagedException;

/**
 * Row states: version, standing, times, then per generation its number, the keys and their fingerprint, or, without
 * keys, why there are none. The version comes first to be read alone.
 */
final class RowStateCodec {
    /** No version is longer: it is two numbers of seven bits a byte. */
    static final int VERSION_BYTES = 20;

    private static final int ANOTHER_REASON = 0;
    private static final int REFUSED = 1;
    private static final int FIRST_FILTERED = 2;
    private static final int FIRST_NO_VALUE = 3;

    private RowStateCodec() {}

    static byte[] write(RowState state) {
        RecordWriter out = new RecordWriter();
        write(out, state);
        return out.toBytes();
    }

    static void write(RecordWriter out, RowState state) {
        out.version(state.version()).number(code(state.standing()));
        writeTimes(out, state.times());
        out.number(state.entries().size());
        Map<Long, Entries> entries = state.entries();
        // In the order of the generations, so that equal states are equal bytes.
        (entries.size() < 2 ? entries : new TreeMap<>(entries))
                .forEach((generation, ofOne) -> writeEntries(out, generation, ofOne));
    }

    static RowState read(byte[] bytes) {
        RecordReader in = new RecordReader(bytes);
        RowVersion version = in.version();
        Standing standing = standing(in.number());
        Optional<Times> times = readTimes(in);
        int generations = in.count();
        if (generations == 1) {
            return new RowState(version, standing, Map.of(in.number(), readEntries(in)), times);
        }
        Map<Long, Entries> entries = new HashMap<>();
        for (int left = generations; left > 0; left--) {
            entries.put(in.number(), readEntries(in));
        }
        return new RowState(version, standing, entries, times);
    }

    /** The version of a row state, of which only the beginning need be here. */
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

    private static void writeEntries(RecordWriter out, long generation, Entries entries) {
        out.number(generation).number(entries.keys().size());
        entries.keys().forEach(out::bytes);
        if (entries.keys().isEmpty()) {
            writeReason(out, entries);
        } else {
            out.number(entries.fingerprint());
        }
    }

    private static Entries readEntries(RecordReader in) {
        int size = in.count();
        if (size == 0) {
            return readReason(in);
        } else if (size == 1) {
            return new Entries(List.of(in.bytes()), in.number(), Optional.empty());
        }
        List<KeyBytes> keys = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            keys.add(in.bytes());
        }
        return new Entries(keys, in.number(), Optional.empty());
    }

    /** Frozen: on disk. */
    private static void writeReason(RecordWriter out, Entries entries) {
        if (entries.refusal().isPresent()) {
            out.number(REFUSED).text(entries.refusal().get());
        } else {
            Absence absence = entries.absence().orElse(null);
            if (absence instanceof Absence.Filtered filtered) {
                out.number(FIRST_FILTERED + 2L * filtered.condition());
            } else if (absence instanceof Absence.NoValue none) {
                out.number(FIRST_NO_VALUE + 2L * none.part());
            } else {
                out.number(ANOTHER_REASON);
            }
        }
    }

    private static Entries readReason(RecordReader in) {
        long code = in.number();
        if (code == ANOTHER_REASON) {
            return Entries.NONE;
        } else if (code == REFUSED) {
            return Entries.refused(in.text());
        }
        int position = (int) (code - FIRST_FILTERED) / 2;
        Absence absence = code % 2 == 0 ? new Absence.Filtered(position) : new Absence.NoValue(position);
        return new Entries(List.of(), 0, Optional.of(absence));
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
