package dev.tidemark.writer.rocks;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.rocks.StoreException;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.DiskFailure;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.FactsUnreadableException;
import dev.tidemark.writer.commit.KeyedRow;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.SourcePosition;
import dev.tidemark.writer.commit.StoredRow;

/**
 * Fact tables that throw {@link FactsUnreadableException} where an operation meets damage, and record writes at which
 * the disk fails. A read at which the disk fails fails for its caller only: the next one may succeed.
 *
 * @param failure is notified of failed writes
 */
public record GuardedFactStore(FactStore store, DiskFailure failure) implements FactStore {
    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        return guarded(() -> Optional.ofNullable(store.find(table, key))).orElse(null);
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        return guarded(() -> Optional.ofNullable(store.current(table, key))).orElse(null);
    }

    @Override
    public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
        return guarded(() -> store.findAll(table, keys));
    }

    @Override
    public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
        return guarded(() -> store.scan(table, afterKey, limit, maxBytes));
    }

    @Override
    public FactSnapshot snapshot(String table) {
        return guarded(() -> new GuardedSnapshot(store.snapshot(table)));
    }

    @Override
    public Optional<SourcePosition> sourcePosition(String source) {
        return guarded(() -> store.sourcePosition(source));
    }

    @Override
    public CommitPosition lastCommit() {
        return guarded(store::lastCommit);
    }

    @Override
    public void commit(FactBatch batch) {
        run(() -> store.commit(batch));
    }

    @Override
    public void reserveTimestamps(Instant time) {
        run(() -> store.reserveTimestamps(time));
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        run(() -> store.beginEpoch(at));
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        return guarded(store::digests);
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        run(() -> store.keepDigests(known, gone));
    }

    private void run(Runnable write) {
        guarded(() -> {
            try {
                write.run();
            } catch (StoreException e) {
                if (e.isDiskFailure()) {
                    failure.found(String.valueOf(e.getMessage()));
                }
                throw e;
            }
            return true;
        });
    }

    private <T> T guarded(Supplier<T> action) {
        try {
            return action.get();
        } catch (StoreException e) {
            if (!e.isDamage()) {
                throw e;
            }
            throw new FactsUnreadableException(String.valueOf(e.getMessage()), e);
        }
    }

    /** A walk whose steps are guarded too. */
    private final class GuardedSnapshot implements FactSnapshot {
        private final FactSnapshot snapshot;

        GuardedSnapshot(FactSnapshot snapshot) {
            this.snapshot = snapshot;
        }

        @Override
        public CommitPosition point() {
            return snapshot.point();
        }

        @Override
        public @Nullable KeyedRow next() {
            return guarded(() -> Optional.ofNullable(snapshot.next())).orElse(null);
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }
}
