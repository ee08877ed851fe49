package dev.tidemark.runtime;

/** An exception of a store that keeps data on disk. */
public interface DiskFault {
    /** Whether the disk failed at the operation, for another reason than too little space. Another try may succeed. */
    boolean isDiskFailure();
}
