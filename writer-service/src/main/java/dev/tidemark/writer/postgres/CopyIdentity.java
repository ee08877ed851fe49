package dev.tidemark.writer.postgres;

/**
 * Names one copy of a database cluster. A copy that was restored with a dump has another system, and one that was
 * restored from an archive or promoted has another timeline.
 *
 * @param system identifier that initdb gave
 * @param timeline of the write-ahead log that is written
 */
record CopyIdentity(String system, long timeline) {
    /** Of a server that does not let the writer read it. */
    static final CopyIdentity UNKNOWN = new CopyIdentity("", 0);

    /** Whether both are known, and are not the same. */
    boolean isOtherThan(CopyIdentity noted) {
        return !equals(UNKNOWN) && !noted.equals(UNKNOWN) && !equals(noted);
    }
}
