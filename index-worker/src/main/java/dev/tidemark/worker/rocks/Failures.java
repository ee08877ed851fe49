package dev.tidemark.worker.rocks;

import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Status;

import dev.tidemark.rocks.StoreClosedException;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardDamagedException;

/** Names failures the way the port does: closed, damaged, or worth another try. */
final class Failures {
    private Failures() {}

    static <T> T named(Supplier<T> action) {
        try {
            return action.get();
        } catch (StoreClosedException e) {
            throw new ShardClosedException(String.valueOf(e.getMessage()));
        } catch (StoreException e) {
            if (isDamage(e.getCause())) {
                throw new ShardDamagedException(String.valueOf(e.getMessage()), e);
            }
            throw e;
        }
    }

    static void run(Runnable action) {
        named(() -> {
            action.run();
            return true;
        });
    }

    private static boolean isDamage(@Nullable Throwable cause) {
        return cause instanceof RocksDBException e
                && e.getStatus() != null
                && e.getStatus().getCode() == Status.Code.Corruption;
    }
}
