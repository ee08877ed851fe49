package dev.tidemark.runtime;

/** An exception of a store that keeps data on disk. */
public interface DiskFault {
    /** Whether it was thrown because the disk failed at what was asked, other than for want of room. Another try may succeed. */
    boolean isDiskFailure();
}
