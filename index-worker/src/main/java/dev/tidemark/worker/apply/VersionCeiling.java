package dev.tidemark.worker.apply;

import dev.tidemark.row.RowVersion;

/**
 * The highest version that records before an offset can have: after they had been read, the writer answered that it had
 * assigned none above.
 *
 * @param offset the first offset to which the bound does not apply
 */
record VersionCeiling(long offset, RowVersion version) {
    /** No bound for any record. */
    static final VersionCeiling NONE = new VersionCeiling(0, RowVersion.NONE);

    /** Whether the bound applies to a record, which was read before the answer. */
    boolean isAbout(LogRecord record) {
        return record.offset() < offset;
    }

    /** Whether a record of that version is forged. */
    boolean isBelow(LogRecord record, RowVersion claimed) {
        return isAbout(record) && claimed.isAfter(version);
    }

    /** Why it is. */
    String reason(RowVersion claimed) {
        return "expected a version that the writer has given, but got " + claimed + ", and it had given none above "
                + version;
    }
}
