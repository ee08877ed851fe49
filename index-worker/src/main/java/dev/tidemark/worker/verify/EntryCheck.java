package dev.tidemark.worker.verify;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.Order;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.store.Tally;

/**
 * Holds the entries of one generation in one shard against the row states of the same view. They are in different orders,
 * so sums are compared first; the rows of sums that differ are then collected exactly, some sums at a time.
 */
final class EntryCheck {
    /** Sums looked into at a time. Each stands for about 64 rows. */
    private static final int ROUND = 1_024;

    private static final int WORKED_EVERY = 4_096;

    private final ShardLook shard;
    private final Generation generation;
    private final EntryOwner owner;
    private final SecondLook suspects;
    private final Patience patience;
    private long walked;

    /** What a walk over the entries found. */
    record Result(long entries, boolean digestsAgree) {}

    EntryCheck(ShardLook shard, Generation generation, SecondLook suspects, Patience patience) {
        this.shard = shard;
        this.generation = generation;
        this.owner = new EntryOwner(generation.definition());
        this.suspects = suspects;
        this.patience = patience;
    }

    /** Walks over the entries, and over rows and entries again where something differs. */
    Result run() throws CannotVerifyException, InterruptedException {
        ShardLook.Sum sum = shard.sum(generation.id());
        Buckets buckets = sum.buckets();
        Digest content = Digest.EMPTY;
        long entries = 0;
        try (EntryScan scan = scan()) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes key = scan.key();
                Digest digest = EntryDigest.ofContent(key, EntryDigest.fingerprint(scan.carried()));
                content = content.plus(digest);
                buckets.remove(primaryKey(key), digest);
                entries++;
                worked();
            }
        }
        BitSet uneven = buckets.uneven();
        for (int from = uneven.nextSetBit(0); from >= 0; ) {
            BitSet round = new BitSet();
            for (; from >= 0 && round.cardinality() < ROUND; from = uneven.nextSetBit(from + 1)) {
                round.set(from);
            }
            collect(buckets, round);
        }
        Tally kept = shard.kept(generation.id());
        boolean agree = content.equals(kept.contentDigest()) && kept.equals(sum.tally());
        return new Result(entries, agree);
    }

    private void collect(Buckets buckets, BitSet round) throws CannotVerifyException, InterruptedException {
        Map<KeyBytes, Expected> expected = expected(buckets, round);
        try (EntryScan scan = scan()) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes key = scan.key();
                KeyBytes primaryKey = primaryKey(key);
                if (round.get(buckets.of(primaryKey))) {
                    Expected stated = expected.get(key);
                    if (stated != null && stated.fingerprint == EntryDigest.fingerprint(scan.carried())) {
                        expected.remove(key);
                    } else {
                        suspect(primaryKey, Set.of(key));
                    }
                }
                worked();
            }
        }
        for (Expected lacking : expected.values()) {
            suspect(lacking.primaryKey, Set.of());
        }
    }

    /** What the row states say of an entry. */
    private record Expected(KeyBytes primaryKey, long fingerprint) {}

    private Map<KeyBytes, Expected> expected(Buckets buckets, BitSet round)
            throws CannotVerifyException, InterruptedException {
        Map<KeyBytes, Expected> expected = new HashMap<>();
        try (RowScan scan = shard.view().scanRows()) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes primaryKey = scan.primaryKey();
                if (round.get(buckets.of(primaryKey))) {
                    RowSight.entries(scan.state(), primaryKey, generation.id())
                            .forEach((key, print) -> expected.put(key, new Expected(primaryKey, print)));
                }
                worked();
            }
        }
        return expected;
    }

    private EntryScan scan() {
        return shard.view().scan(generation.id(), KeyRange.ALL, Order.ASC);
    }

    private void suspect(KeyBytes primaryKey, Set<KeyBytes> extra) throws CannotVerifyException, InterruptedException {
        suspects.add(new Suspect(shard.window(), primaryKey, generation.id(), extra));
    }

    private KeyBytes primaryKey(KeyBytes entry) {
        return owner.of(entry);
    }

    private void worked() throws CannotVerifyException, InterruptedException {
        if (++walked % WORKED_EVERY == 0) {
            patience.worked();
        }
    }
}
