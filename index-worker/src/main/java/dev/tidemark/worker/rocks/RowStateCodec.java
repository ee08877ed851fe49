package dev.tidemark.worker.rocks;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.RowState.Entries;
import dev.tidemark.worker.store.RowState.Standing;
import dev.tidemark.worker.store.ShardDamagedException;

/** Row states: version, standing, then per index the keys and what they carry. The version comes first to be read alone. */
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
            all.add(new Entries(keys, in.bytes()));
        }
        return new RowState(version, standing, all);
    }

    static RowVersion readVersion(byte[] bytes) {
        return new RecordReader(bytes).version();
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
