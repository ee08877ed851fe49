package dev.tidemark.writer.rocks;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.rocks.StoreException;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactsUnreadableException;

/**
 * What failures of RocksDB mean for the fact tables: damage is thrown as a {@link FactsUnreadableException}, and a
 * write at which the disk fails is recorded. A read at which the disk fails fails for its caller only: the next one may
 * succeed.
 *
 * @param disk is notified of failed writes
 */
record FactFailures(DiskFailure disk) {
    <T extends @Nullable Object> T reading(Supplier<T> read) {
        try {
            return read.get();
        } catch (StoreException e) {
            throw translated(e);
        }
    }

    void writing(Runnable write) {
        try {
            write.run();
        } catch (StoreException e) {
            if (e.isDiskFailure()) {
                disk.found(String.valueOf(e.getMessage()));
            }
            throw translated(e);
        }
    }

    private static RuntimeException translated(StoreException e) {
        return e.isDamage() ? new FactsUnreadableException(String.valueOf(e.getMessage()), e) : e;
    }
}
