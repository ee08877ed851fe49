package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;

/** Fact tables that fail where a test says so. */
final class FailingFactStore implements FactStore {
    private final FactStore store;
    private KeyBytes unreadable = KeyBytes.EMPTY;
    private @Nullable Throwable afterCommit;
    private Runnable beforeCommit = () -> {};
    private int lastCommitsThatFail;
    private boolean keepFails;
    private @Nullable Supplier<FactSnapshot> snapshots;
    private final List<WriteRequest> announced = new ArrayList<>();

    FailingFactStore(FactStore store) {
        this.store = store;
    }

    /** The row with that key cannot be read. */
    void failReadsOf(KeyBytes key) {
        unreadable = key;
    }

    /** The next commit succeeds, and the call that makes it fails. */
    void failAfterCommit(Throwable reason) {
        afterCommit = reason;
    }

    /** Has something run at the beginning of each commit, by the thread that commits. */
    void beforeCommit(Runnable action) {
        beforeCommit = action;
    }

    /** The next calls of {@link #lastCommit()} fail. */
    void failLastCommits(int calls) {
        lastCommitsThatFail = calls;
    }

    /** The next digests that are kept apart from a commit are lost. */
    void failKeep() {
        keepFails = true;
    }

    /** Gives these snapshots of any table instead of its own. */
    void giveSnapshots(Supplier<FactSnapshot> given) {
        snapshots = given;
    }

    /** The requests that were announced. */
    List<WriteRequest> announced() {
        return announced;
    }

    @Override
    public void readAhead(List<WriteRequest> requests) {
        announced.addAll(requests);
    }

    @Override
    public @Nullable StoredRow find(String table, KeyBytes key) {
        return store.find(table, key);
    }

    @Override
    public @Nullable StoredRow current(String table, KeyBytes key) {
        if (key.equals(unreadable)) {
            throw new IllegalStateException("a block is gone");
        }
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
        return snapshots == null ? store.snapshot(table) : snapshots.get();
    }

    @Override
    public Optional<SourcePosition> sourcePosition(String source) {
        return store.sourcePosition(source);
    }

    @Override
    public CommitPosition lastCommit() {
        if (lastCommitsThatFail > 0) {
            lastCommitsThatFail--;
            throw new IllegalStateException("nothing can be read");
        }
        return store.lastCommit();
    }

    @Override
    public void commit(FactBatch batch) {
        beforeCommit.run();
        store.commit(batch);
        Throwable reason = afterCommit;
        afterCommit = null;
        if (reason instanceof Error error) {
            throw error;
        }
        if (reason instanceof RuntimeException exception) {
            throw exception;
        }
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
        if (keepFails) {
            keepFails = false;
            throw new IllegalStateException("no answer");
        }
        store.keepDigests(known, gone);
    }
}
