package dev.tidemark.worker.rocks;

import java.util.function.Supplier;

import dev.tidemark.rocks.StoreClosedException;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.worker.store.ShardClosedException;
import dev.tidemark.worker.store.ShardDamagedException;
import dev.tidemark.worker.store.ShardId;

/**
 * Names failures the way the port does: closed, damaged, or worth another try.
 *
 * @param shard the shard whose failures they are
 */
record StoreFailures(ShardId shard) {
    <T> T named(Supplier<T> action) {
        try {
            return action.get();
        } catch (StoreClosedException e) {
            throw new ShardClosedException(String.valueOf(e.getMessage()));
        } catch (ShardDamagedException e) {
            throw e.in(shard);
        } catch (StoreException e) {
            if (e.isDamage()) {
                throw new ShardDamagedException(String.valueOf(e.getMessage()), e).in(shard);
            }
            throw e;
        }
    }

    void run(Runnable action) {
        named(() -> {
            action.run();
            return true;
        });
    }
}
