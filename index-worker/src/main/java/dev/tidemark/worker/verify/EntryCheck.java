package dev.tidemark.worker.verify;

import java.util.BitSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;

import dev.tidemark.catalog.Generation;
import dev.tidemark.digest.Digest;
import dev.tidemark.digest.EntryDigest;
import dev.tidemark.index.IndexDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyRange;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.key.Order;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.store.EntryScan;
import dev.tidemark.worker.store.GenerationStats;
import dev.tidemark.worker.store.RowScan;

/**
 * Holds the entries of one generation in one shard against the row states of the same view. They are in different
 * orders, so sums are compared first. The rows of sums that differ are then collected exactly: all at a time, or in as
 * many parts as there is memory for.
 */
final class EntryCheck {
    /** Collected entries take no more of the memory. */
    private static final int PART_OF_MEMORY = 8;

    /** Objects around an entry that is collected. */
    private static final long ENTRY_OBJECTS = 144;

    /** Maximum number of parts that the rows are split into. A smaller part is not tried where one does not fit. */
    private static final int MOST_PARTS = 1 << 20;

    private final ShardComparison shard;
    private final Generation generation;
    private final Recheck suspects;
    private final MemoryBudget.Part memory;
    private final Pacer patience;

    /** What a walk over the entries found. */
    record Result(long entries, boolean digestsAgree) {}

    EntryCheck(
            ShardComparison shard, Generation generation, Recheck suspects, MemoryBudget.Part memory, Pacer patience) {
        this.shard = shard;
        this.generation = generation;
        this.suspects = suspects;
        this.memory = memory;
        this.patience = patience;
    }

    /** Walks over the entries, and over rows and entries again where something differs. */
    Result run() throws CannotVerifyException, InterruptedException {
        ShardComparison.Sum sum = shard.sum(generation.id());
        DigestBuckets buckets = sum.buckets;
        Digest content = Digest.EMPTY;
        long entries = 0;
        try (EntryScan scan = scan()) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes key = scan.key();
                Digest digest = EntryDigest.ofContent(key, EntryDigest.fingerprint(scan.carried()));
                content = content.plus(digest);
                buckets.remove(owner(key, generation.definition()), digest);
                entries++;
                patience.worked();
            }
        }
        BitSet uneven = buckets.uneven();
        if (!uneven.isEmpty()) {
            collect(new Round(buckets, uneven, 1, 0));
        }
        GenerationStats kept = shard.kept(generation.id());
        boolean agree = content.equals(kept.contentDigest()) && kept.equals(sum.stats);
        return new Result(entries, agree);
    }

    /**
     * Rows that are collected at a time.
     *
     * @param uneven the sums that they are in
     * @param parts the number of parts that these rows are split into
     * @param part which one
     */
    private record Round(DigestBuckets buckets, BitSet uneven, int parts, int part) {
        boolean has(KeyBytes primaryKey) {
            return uneven.get(buckets.of(primaryKey)) && DigestBuckets.part(primaryKey, parts) == part;
        }
    }

    private void collect(Round round) throws CannotVerifyException, InterruptedException {
        boolean fits;
        try (MemoryBudget.Reservation held = memory.reserve(0)) {
            Map<KeyBytes, Expected> expected = new HashMap<>();
            fits = expect(round, expected, held);
            if (fits) {
                compare(round, expected);
            }
        }
        if (!fits) {
            if (round.parts() == MOST_PARTS) {
                throw new CannotVerifyException("there is no memory left to collect entries of rows that differ");
            }
            collect(new Round(round.buckets(), round.uneven(), round.parts() * 2, round.part()));
            collect(new Round(round.buckets(), round.uneven(), round.parts() * 2, round.part() + round.parts()));
        }
    }

    private void compare(Round round, Map<KeyBytes, Expected> expected)
            throws CannotVerifyException, InterruptedException {
        try (EntryScan scan = scan()) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes key = scan.key();
                KeyBytes primaryKey = owner(key, generation.definition());
                if (round.has(primaryKey)) {
                    Expected stated = expected.get(key);
                    if (stated != null && stated.fingerprint == EntryDigest.fingerprint(scan.carried())) {
                        expected.remove(key);
                    } else {
                        suspect(primaryKey, Set.of(key));
                    }
                }
                patience.worked();
            }
        }
        for (Expected lacking : expected.values()) {
            suspect(lacking.primaryKey, Set.of());
        }
    }

    /** What the row states say of an entry. */
    private record Expected(KeyBytes primaryKey, long fingerprint) {}

    /** Collects what the row states say; false once there is no memory for more. */
    private boolean expect(Round round, Map<KeyBytes, Expected> expected, MemoryBudget.Reservation held)
            throws CannotVerifyException, InterruptedException {
        try (RowScan scan = shard.view().scanRows()) {
            for (; scan.isValid(); scan.next()) {
                KeyBytes primaryKey = scan.primaryKey();
                if (round.has(primaryKey)) {
                    Map<KeyBytes, Long> entries = RowObservation.entries(scan.state(), primaryKey, generation.id());
                    long bytes = entries.keySet().stream()
                            .mapToLong(key -> ENTRY_OBJECTS + key.length())
                            .sum();
                    if (held.bytes() + bytes > memory.limit() / PART_OF_MEMORY || !held.tryGrow(bytes)) {
                        return false;
                    }
                    entries.forEach((key, print) -> expected.put(key, new Expected(primaryKey, print)));
                }
                patience.worked();
            }
        }
        return true;
    }

    /**
     * The primary key of the row that an entry belongs to, by the end of its key; the entry key itself where that
     * cannot be read, which is no row's key.
     */
    static KeyBytes owner(KeyBytes entry, IndexDefinition index) {
        try {
            KeyReader reader = new KeyReader(entry);
            for (KeyPart part : index.key()) {
                reader.skip(part.order());
            }
            return reader.rest();
        } catch (MalformedKeyException e) {
            return entry;
        }
    }

    private EntryScan scan() {
        return shard.view().scan(generation.id(), KeyRange.ALL, Order.ASC);
    }

    private void suspect(KeyBytes primaryKey, Set<KeyBytes> extra) throws CannotVerifyException, InterruptedException {
        suspects.add(new Recheck.Row(shard.window(), primaryKey), generation.id(), extra);
    }
}
