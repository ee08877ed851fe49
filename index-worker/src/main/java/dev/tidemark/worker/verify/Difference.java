package dev.tidemark.worker.verify;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowVersion;

/**
 * One entry of an index that is not as its table says; or a row in quarantine, with the first entry that it lacks.
 *
 * @param kind what is wrong
 * @param partition of the shard
 * @param primaryKey of the row; that which the entry ends with
 * @param entry whole entry key; where the index has it, or else where it should be; no bytes where there is none in
 *     question
 * @param found what the index carries there; empty where there is no entry
 * @param expected what it should carry there; empty where there should be no entry, and where the row has just changed
 * @param version newest change of the row that the shard knows; empty for none
 * @param factVersion newest change of the row in its table; empty when it is not there
 */
public record Difference(
        Kind kind,
        int partition,
        KeyBytes primaryKey,
        KeyBytes entry,
        Optional<KeyBytes> found,
        Optional<KeyBytes> expected,
        Optional<RowVersion> version,
        Optional<RowVersion> factVersion) {
    /** Maximum number of bytes shown of an entry's projected fields. */
    private static final int MOST_CARRIED = 4 << 10;

    /** The same with the beginnings only of what is carried. */
    Difference shortened() {
        return new Difference(
                kind,
                partition,
                primaryKey,
                entry,
                found.map(Difference::beginning),
                expected.map(Difference::beginning),
                version,
                factVersion);
    }

    /** Bytes of all that it names. */
    long bytes() {
        return (long) primaryKey.length()
                + entry.length()
                + found.map(KeyBytes::length).orElse(0)
                + expected.map(KeyBytes::length).orElse(0);
    }

    private static KeyBytes beginning(KeyBytes carried) {
        return carried.length() <= MOST_CARRIED ? carried : KeyBytes.wrap(Arrays.copyOf(carried.array(), MOST_CARRIED));
    }

    /** What can be wrong with an entry. */
    public enum Kind {
        /** The table has the row, the index lacks the entry. */
        MISSING,
        /** The index has the entry, the table lacks the row. */
        DANGLING,
        /** The entry is that of an older version of the row, or the shard believes so. */
        STALE,
        /** The entry is in its place, but carries something else. */
        BAD_COVERED,
        /** The row has all its entries, and this one beside them. */
        DUPLICATE,
        /**
         * The shard holds the row in a version that the writer never gave; true changes of the row do not reach the
         * index.
         */
        AHEAD,
        /**
         * The table has the row, and the index leaves it out because a record of the row is in quarantine, where it is
         * named.
         */
        QUARANTINED;

        /** Whether the index is wrong there, and not only known to lack something. */
        boolean isWrong() {
            return this != QUARANTINED;
        }

        /** The name for programs. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
