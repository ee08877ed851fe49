package dev.tidemark.writer.failpoint;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.runtime.Failpoints;
import dev.tidemark.writer.commit.CommitPosition;
import dev.tidemark.writer.commit.DigestKey;
import dev.tidemark.writer.commit.FactBatch;
import dev.tidemark.writer.commit.FactSnapshot;
import dev.tidemark.writer.commit.FactStore;
import dev.tidemark.writer.commit.ScanPage;
import dev.tidemark.writer.commit.StoredRow;

/** Fact tables with a place before and one after each commit. */
public record FailpointFactStore(FactStore store, Failpoints points) implements FactStore {
    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        return store.find(table, key);
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        return store.current(table, key);
    }

    @Override
    public List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys) {
        return store.findAll(table, keys);
    }

    @Override
    public ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes) {
        return store.scan(table, afterKey, limit, maxBytes);
    }

    @Override
    public FactSnapshot snapshot(String table) {
        return store.snapshot(table);
    }

    @Override
    public CommitPosition lastCommit() {
        return store.lastCommit();
    }

    @Override
    public void commit(FactBatch batch) {
        points.reach(WriterFailpoint.COMMIT_BEFORE_WRITE.label());
        store.commit(batch);
        points.reach(WriterFailpoint.COMMIT_WRITTEN.label());
    }

    @Override
    public void reserveTimestamps(Instant time) {
        store.reserveTimestamps(time);
    }

    @Override
    public void beginEpoch(CommitPosition at) {
        store.beginEpoch(at);
    }

    @Override
    public Map<DigestKey, Digest> digests() {
        return store.digests();
    }

    @Override
    public void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone) {
        store.keepDigests(known, gone);
    }
}
