package dev.tidemark.writer.commit;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.jspecify.annotations.Nullable;

import dev.tidemark.digest.Digest;
import dev.tidemark.key.KeyBytes;

/**
 * The fact tables. Reads are for any thread, {@link #commit}, {@link #current}, {@link #reserveTimestamps},
 * {@link #beginEpoch} and {@link #keepDigests} for the committer alone, and {@link #currentPosition} and
 * {@link #currentCommit} for the committer and for what is done before it begins. Every method may throw an unchecked
 * exception when the medium fails.
 */
public interface FactStore extends GroupPlanner.Rows {
    /** The row with that key, or null. */
    @Nullable
    StoredRow find(String table, KeyBytes key);

    /**
     * The same as {@link #find}, for the committer alone: what it wrote lately may come from memory, with its digests,
     * so damage on the medium may stay unnoticed here.
     */
    @Override
    @Nullable
    StoredRow current(String table, KeyBytes key);

    /**
     * Announces the requests that come next, so that a store that is far away reads the rows of {@link #current} with
     * one question; for the committer alone.
     */
    default void readAhead(List<WriteRequest> requests) {
        // A store that is near reads each row when it is asked for.
    }

    /** The rows with those keys, in their order, null where there is none, all as of one moment. */
    List<@Nullable StoredRow> findAll(String table, List<KeyBytes> keys);

    /**
     * Rows in key order, all as of one moment.
     *
     * @param afterKey only keys above this one; null to begin with the first
     * @param limit most rows, at least 1
     * @param maxBytes stop after the row with which the rows together reach this size; the first row always comes
     */
    ScanPage scan(String table, @Nullable KeyBytes afterKey, int limit, long maxBytes);

    /** The rows of a table as they are now, and the moment that this is. */
    FactSnapshot snapshot(String table);

    /** How far the fact tables follow a source, as the last batch says that moved it; empty before the first. */
    Optional<SourcePosition> sourcePosition(String source);

    /** The same, and waits for no other reader. */
    @Override
    default Optional<SourcePosition> currentPosition(String source) {
        return sourcePosition(source);
    }

    /** The place in commit order after the last commit, no earlier than the last promise. */
    CommitPosition lastCommit();

    /** The same, and waits for no other reader; throws where this process may not commit any more. */
    default CommitPosition currentCommit() {
        return lastCommit();
    }

    /**
     * Applies a batch: all of it, and durable (a power cut included) when the call returns; or nothing of it, when it
     * throws.
     */
    void commit(FactBatch batch);

    /**
     * Remembers, durably when the call returns, that no commit of a later run may have a time up to the given one.
     */
    void reserveTimestamps(Instant time);

    /**
     * Begins an epoch, because the fact tables have gone back in time: the next commit comes after that place. Durable
     * when the call returns.
     *
     * @param at a place with a later epoch than that of the last commit, and with its sequence
     */
    void beginEpoch(CommitPosition at);

    /** Every digest that is stored. */
    Map<DigestKey, Digest> digests();

    /**
     * Stores digests, and forgets those of some generations. A power cut may undo it, until the next commit.
     *
     * @param known exact for the rows as they are now
     * @param gone numbers of generations
     */
    void keepDigests(Map<DigestKey, Digest> known, Set<Long> gone);
}
