package dev.tidemark.runtime;

/** What may be said of an exception of whatever keeps data on disk. */
public interface DiskFault {
    /** Whether it was thrown because the disk failed at what was asked, other than for want of room. Another try may succeed. */
    boolean isDiskFailure();
}
