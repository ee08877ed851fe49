package dev.tidemark.worker.lifecycle;

import java.util.OptionalInt;

/** Where to read a partition from. */
public sealed interface StartPosition {
    /** From the first record there is. */
    record Beginning() implements StartPosition {}

    /**
     * From an offset.
     *
     * @param leaderEpoch epoch of the last record read before it, which tells whether the log was truncated since
     */
    record At(long offset, OptionalInt leaderEpoch) implements StartPosition {}
}
