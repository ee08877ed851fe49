package dev.tidemark.worker.apply;

import java.util.ArrayList;
import java.util.List;

/**
 * The ceilings of a shard that has gone back, perhaps several times to one offset. Of several that apply to a record,
 * the lowest counts: a later answer of the writer may be above a forged version that an earlier one refuted.
 */
record VersionCeilings(List<VersionCeiling> all) {
    /** No bound for any record. */
    static final VersionCeilings NONE = new VersionCeilings(List.of());

    /** Above this number, the oldest goes. */
    private static final int MOST = 64;

    VersionCeilings {
        all = List.copyOf(all);
    }

    /**
     * The same with one more.
     *
     * @param from the offset that the shard goes back to; no record before it is read again
     */
    VersionCeilings and(VersionCeiling next, long from) {
        List<VersionCeiling> present = new ArrayList<>(all);
        present.removeIf(ceiling -> ceiling.offset() <= from);
        present.add(next);
        return new VersionCeilings(present.subList(Math.max(0, present.size() - MOST), present.size()));
    }

    /** The lowest ceiling that applies to a record; {@link VersionCeiling#NONE} where none does. */
    VersionCeiling of(LogRecord record) {
        VersionCeiling lowest = VersionCeiling.NONE;
        for (VersionCeiling ceiling : all) {
            boolean isLower = !lowest.isAbout(record) || lowest.version().isAfter(ceiling.version());
            if (ceiling.isAbout(record) && isLower) {
                lowest = ceiling;
            }
        }
        return lowest;
    }
}
