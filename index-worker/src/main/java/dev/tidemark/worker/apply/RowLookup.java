package dev.tidemark.worker.apply;

import java.util.List;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.store.RowState;
import dev.tidemark.worker.store.ShardStore;

/**
 * Looks up what a shard knows of rows, one after the other. Reads a few at first, and more at a time while their states
 * are small: a state has all keys of its row, also those of a generation that is gone, and may be megabytes.
 */
final class RowLookup {
    /** Rows to look up where nothing is known of their size. */
    static final int FEW_ROWS = 16;

    /** About how many bytes of keys to hold at a time, of more rows than a few. */
    private static final long WANTED_BYTES = 4L << 20;

    private final ShardStore store;
    private final List<KeyBytes> keys;
    private final int most;
    private List<Optional<RowState>> piece = List.of();
    private int inPiece;
    private int looked;

    /**
     * A lookup that has read nothing yet.
     *
     * @param most how many rows to look up at a time, also where they are small
     */
    RowLookup(ShardStore store, List<KeyBytes> keys, int most) {
        this.store = store;
        this.keys = keys;
        this.most = most;
    }

    /** The state of the next row; empty where the shard knows nothing of it. */
    Optional<RowState> next() {
        if (inPiece == piece.size()) {
            int rows = Math.min(keys.size() - looked, Math.min(most, pieceSize()));
            // Not to be held together with the next one.
            piece = List.of();
            inPiece = 0;
            piece = store.rowStates(keys.subList(looked, looked + rows));
            looked += rows;
        }
        return piece.get(inPiece++);
    }

    /** Twice as many rows as before, unless as many of these would be too large. */
    private int pieceSize() {
        long bytes = 1;
        for (Optional<RowState> row : piece) {
            bytes += row.map(BatchChanges::bytes).orElse(0L);
        }
        return (int) Math.max(FEW_ROWS, Math.min(2L * piece.size(), WANTED_BYTES * piece.size() / bytes));
    }
}
