package dev.tidemark.writer.commit;

import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DerivedTable;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryTerms;

/**
 * Keeps, for each partition of each generation of an index, the digest of the entries that the table gives, so that a
 * shard can be found equal to its table, or not, without reading either. Moved on with every commit and stored in its
 * batch.
 *
 * <p>Of a generation that has no stored digest, the table as of one moment is added up by {@link TableDigestBuilder}
 * while changes since that moment are counted here; until both are put together nothing is known of it, and nothing
 * stored.
 *
 * <p>Belongs to the committer's thread; {@link #latest()} is for any.
 */
public final class FactDigests {
    private static final Logger LOGGER = LoggerFactory.getLogger(FactDigests.class);

    private final FactStore store;
    private final Supplier<Definitions> definitions;
    private final TableDigestBuilder sums;
    private final Duration interval;
    private final Map<Long, TableDigestScan> pending = new HashMap<>();
    private final Set<Long> gone = new HashSet<>();
    private DigestLedger ledger = new DigestLedger();
    private boolean loaded;
    private long followed;
    private long marks;
    private Instant notBefore = Instant.MIN;
    private Instant nextMark = Instant.MIN;
    private volatile @Nullable DigestCheckpoint latest;

    /**
     * Digests of which nothing is known yet.
     *
     * @param definitions gives those in force, any time
     * @param sums adds up whole tables
     * @param interval how long after one checkpoint the next one is made
     */
    public FactDigests(FactStore store, Supplier<Definitions> definitions, TableDigestBuilder sums, Duration interval) {
        this.store = store;
        this.definitions = definitions;
        this.sums = sums;
        this.interval = interval;
    }

    /**
     * Returns the newest checkpoint. A thread that calls this after commit order has reached a position gets a
     * checkpoint of that position or a later one, unless an earlier one is still the newest.
     */
    public Optional<DigestCheckpoint> latest() {
        return Optional.ofNullable(latest);
    }

    /**
     * Between two commits: looks at the definitions, takes over what has been added up, begins what is to be. Fails
     * when the stored digests cannot be read, and then nothing may be committed, which would leave them behind.
     */
    void advance(CommitPosition at, Instant now) {
        follow(definitions.get());
        if (now.isBefore(notBefore)) {
            return;
        }
        try {
            forget();
            takeOver();
            beginLacking(at);
        } catch (RuntimeException e) {
            LOGGER.warn("Digests of new indexes cannot be added up at the moment", e);
            notBefore = now.plus(interval);
            if (!loaded) {
                follow(definitions.get());
            }
        }
    }

    /**
     * Adds what a change does to the digests. To be called after {@link #advance}. Fails, and adds nothing, where the
     * new row has to be read and cannot be.
     *
     * @param terms what was derived of the new row, by generation; the row is derived where a generation lacks
     * @param before the row just before the change; null where there was none
     * @return the change with the digests of its row
     */
    CommittedChange count(
            CommittedChange change, Map<Long, EntryTerms> terms, @Nullable StoredRow before, DigestDelta delta) {
        return ledger.count(change, terms, before, delta);
    }

    /**
     * The known digests that a group of changes moves, as they are afterwards, to be stored with it. Digests that the
     * group makes unknown are forgotten in the store first, so that no crash can bring them back; they are added up
     * once more.
     */
    Map<DigestKey, Digest> moved(DigestDelta delta) {
        Set<Long> unknown = delta.unknown();
        if (!unknown.isEmpty()) {
            store.keepDigests(Map.of(), unknown);
            ledger.forget(unknown);
            unknown.forEach(this::cancel);
        }
        return ledger.after(delta.moved());
    }

    private void cancel(long generation) {
        TableDigestScan sum = pending.remove(generation);
        if (sum != null) {
            sum.cancel();
        }
    }

    /** Applies the digests of a committed group. The committer calls it before it moves the frontier past the group. */
    void committed(DigestDelta delta, CommitPosition after, Instant now) {
        ledger.apply(delta.moved());
        mark(after, now);
    }

    /** Commit order stands at that place now. */
    void mark(CommitPosition at, Instant now) {
        if (ledger.knowsAny() && !now.isBefore(nextMark)) {
            nextMark = now.plus(interval);
            latest = new DigestCheckpoint(++marks, at, ledger.known());
        }
    }

    /** Discards every digest that is not stored, because the effect of the last commit is unknown. */
    void startAgain() {
        pending.values().forEach(TableDigestScan::cancel);
        pending.clear();
        ledger = new DigestLedger();
        loaded = false;
    }

    private void follow(Definitions now) {
        if (loaded && now.version() == followed) {
            return;
        }
        Set<Long> all = ledger.follow(now.layout().tables());
        pending.forEach((generation, sum) -> {
            if (!all.contains(generation)) {
                sum.cancel();
            }
        });
        pending.keySet().retainAll(all);
        Map<DigestKey, Digest> stored = store.digests();
        if (!loaded) {
            ledger.load(stored);
        }
        stored.keySet().forEach(key -> gone.add(key.generation()));
        gone.removeAll(all);
        loaded = true;
        followed = now.version();
    }

    private void forget() {
        if (!gone.isEmpty()) {
            store.keepDigests(Map.of(), gone);
            gone.clear();
        }
    }

    private void takeOver() {
        for (TableDigestScan ended = sums.takeEnded(); ended != null; ended = sums.takeEnded()) {
            Map<DigestKey, Digest> complete = new HashMap<>();
            for (long generation : ended.generations()) {
                if (pending.remove(generation, ended)) {
                    ended.result()
                            .ifPresentOrElse(
                                    base -> complete.putAll(ledger.complete(generation, base)),
                                    () -> ledger.abandon(generation));
                }
            }
            if (!complete.isEmpty()) {
                keep(complete);
            }
        }
    }

    private void keep(Map<DigestKey, Digest> complete) {
        try {
            store.keepDigests(complete, Set.of());
        } catch (RuntimeException e) {
            // Whether they are stored is unknown, and a commit stores only those that it moves.
            startAgain();
            throw e;
        }
    }

    private void beginLacking(CommitPosition at) {
        for (DigestLedger.Followed table : ledger.tables()) {
            Set<Long> lacking = ledger.lacking(table);
            if (!lacking.isEmpty()) {
                begin(table, lacking, at);
            }
        }
    }

    private void begin(DigestLedger.Followed table, Set<Long> lacking, CommitPosition at) {
        FactSnapshot snapshot = store.snapshot(DerivedTable.base(table.table().name()));
        if (!snapshot.point().version().equals(at.version())) {
            snapshot.close();
            throw new IllegalStateException("Expected the table as of " + at.version() + ", but got it as of "
                    + snapshot.point().version());
        }
        ledger.begin(lacking);
        TableDigestScan sum = new TableDigestScan(table.only(lacking), snapshot);
        lacking.forEach(generation -> pending.put(generation, sum));
        sums.begin(sum);
    }
}
