package dev.tidemark.rocks;

import java.util.function.Consumer;

import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

import dev.tidemark.runtime.DiskFault;

/**
 * The store could not do what was asked. A write that threw is not seen while the store is open; it may be there once
 * the store is opened again, because what failed may have been its sync alone.
 */
public class StoreException extends RuntimeException implements DiskFault {
    private static final long serialVersionUID = 1L;

    public StoreException(String message, Throwable cause) {
        super(message, cause);
    }

    protected StoreException(String message) {
        super(message);
    }

    /** Returns itself, after it was reported if it is damage. */
    StoreException reportedTo(Consumer<String> damaged) {
        if (isDamage()) {
            damaged.accept(String.valueOf(getMessage()));
        }
        return this;
    }

    /** Whether what is on disk is not what was written; trying again does not help. */
    public boolean isDamage() {
        return getCause() instanceof RocksDBException e
                && e.getStatus() != null
                && e.getStatus().getCode() == Status.Code.Corruption;
    }

    /**
     * Whether the disk failed at what was asked. A write that threw so is the last that the store takes while it is
     * open. Want of room does not count: the store goes on by itself once there is some.
     */
    @Override
    public boolean isDiskFailure() {
        return getCause() instanceof RocksDBException e
                && e.getStatus() != null
                && e.getStatus().getCode() == Status.Code.IOError
                && e.getStatus().getSubCode() != Status.SubCode.NoSpace;
    }
}
