package dev.tidemark.worker.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.Generation;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowScan;
import dev.tidemark.worker.verify.Difference.Kind;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class EntryCheckTest {
    /** Bytes that an entry takes while it is collected, beside its key. */
    private static final long ENTRY = 144;

    /** What is collected takes one part in so many. */
    private static final int PARTS = 8;

    private final VerifyFixture fixture = new VerifyFixture(1);
    private final Generation generation = fixture.generation("by_town");
    private final List<KeyBytes> missing = new ArrayList<>();

    @Test
    void namesEveryEntryThatIsMissingWithMemoryForOneAtATime() throws Exception {
        List<KeyBytes> rows = fill(30);
        long entry = ENTRY + removeAll();

        EntryCheck.Result result = check(PARTS * entry);

        assertThat(result.entries()).isZero();
        assertThat(result.digestsAgree()).isFalse();
        assertThat(missing).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void tellsApartRowsWhoseSumsAreOne() throws Exception {
        List<KeyBytes> rows = sharingASum();
        long entry = ENTRY + removeAll();

        check(PARTS * entry);

        assertThat(missing).containsExactlyInAnyOrderElementsOf(rows);
    }

    @Test
    void isNoVerdictWithoutMemoryForASingleEntry() {
        fill(1);
        long entry = ENTRY + removeAll();

        assertThatThrownBy(() -> check(PARTS * entry - 1))
                .isInstanceOf(CannotVerifyException.class)
                .hasMessage("there is no memory left to collect entries of rows that differ");
        assertThat(missing).isEmpty();
        assertThat(fixture.openReaders()).isZero();
    }

    @Test
    void collectsNoMoreThanItsPartOfTheMemory() throws Exception {
        List<KeyBytes> rows = fill(30);
        long entry = ENTRY + removeAll();
        MemoryBudget budget = new MemoryBudget(PARTS * 3 * entry);
        MemoryBudget.Part memory = budget.part("verification", 1);
        // All but its part is held by others, so that anything more is refused.
        budget.part("others", 1).reserve((PARTS - 1) * 3 * entry);

        check(memory);

        assertThat(memory.refusals()).isZero();
        assertThat(missing).containsExactlyInAnyOrderElementsOf(rows);
        assertThat(memory.reserved()).isZero();
    }

    @Test
    void looksAtNothingOnceMoreWhereAllIsEqual() throws Exception {
        List<KeyBytes> rows = fill(30);

        EntryCheck.Result result = check(PARTS * ENTRY);

        assertThat(result).isEqualTo(new EntryCheck.Result(rows.size(), true));
        assertThat(missing).isEmpty();
        assertThat(fixture.found()).isZero();
    }

    @Test
    void eachRowAndEntryIsWorkAtEachWalk() throws Exception {
        put(IntStream.range(0, 100_000)
                .filter(id -> fixture.table().partitionOf(fixture.key(id)) == 0)
                .limit(4_098));
        VerifyShardFixture shard = fixture.shards().get(0);
        KeyBytes entry = shard.entries(generation.id()).get(0).getKey();
        shard.tamper(new IndexMutation.RemoveEntry(generation.id(), entry));

        check(1 << 20);

        // Over the entries, and then over rows and entries because one is missing.
        assertThat(fixture.works()).isEqualTo(4_097 + 4_098 + 4_097);
        assertThat(missing).hasSize(1);
    }

    private EntryCheck.Result check(long bytes) throws Exception {
        return check(new MemoryBudget(bytes).part("verification", 1));
    }

    /** Checks the first shard by its row states. */
    private EntryCheck.Result check(MemoryBudget.Part memory) throws Exception {
        Recheck suspects = new Recheck(
                fixture.table(),
                new RowShards(fixture.table(), List.of(generation)),
                fixture,
                1 << 20,
                fixture,
                new Outcomes());
        EntryCheck.Result result;
        try (DigestMemory sums = new DigestMemory(MemoryBudget.unlimited().part("sums", 1), 1);
                ShardComparison shard =
                        ShardComparison.open(fixture.shards().get(0), "people-0", List.of(generation.id()), sums)) {
            try (RowScan scan = shard.view().scanRows()) {
                for (; scan.isValid(); scan.next()) {
                    shard.add(scan.primaryKey(), scan.state());
                }
            }
            result = new EntryCheck(shard, generation, suspects, memory, fixture).run();
        }
        suspects.look();
        return result;
    }

    /** Puts so many rows into the first shard. */
    private List<KeyBytes> fill(int rows) {
        return put(ids().limit(rows));
    }

    /** Two rows of the first shard that are in the same sum. */
    private List<KeyBytes> sharingASum() {
        DigestBuckets buckets = new DigestBuckets(DigestBuckets.FEWEST_BITS);
        int[] ids = ids().limit(1_000).toArray();
        for (int one : ids) {
            for (int other : ids) {
                if (one < other && buckets.of(fixture.key(one)) == buckets.of(fixture.key(other))) {
                    return put(IntStream.of(one, other));
                }
            }
        }
        throw new IllegalStateException("Expected two rows in the same sum");
    }

    private List<KeyBytes> put(IntStream ids) {
        List<KeyBytes> rows =
                ids.mapToObj(id -> fixture.put(id, "Redmond", "Ada")).toList();
        fixture.settle();
        return rows;
    }

    /** Rows of the first shard, whose keys have the same length. */
    private IntStream ids() {
        return IntStream.range(1_000, 10_000)
                .filter(id -> fixture.table().partitionOf(fixture.key(id)) == 0
                        && fixture.key(id).length() == fixture.key(1_001).length());
    }

    /** Takes away every entry; the length of each, which is the same. */
    private long removeAll() {
        VerifyShardFixture shard = fixture.shards().get(0);
        List<KeyBytes> entries =
                shard.entries(generation.id()).stream().map(Map.Entry::getKey).toList();
        entries.forEach(entry -> shard.tamper(new IndexMutation.RemoveEntry(generation.id(), entry)));
        assertThat(entries)
                .extracting(KeyBytes::length)
                .containsOnly(entries.get(0).length());
        return entries.get(0).length();
    }

    private final class Outcomes implements Recheck.Outcome {
        @Override
        public void judged(
                Recheck.Row row, RowObservation sight, Optional<StreamedFact> fact, List<Difference> differences) {
            assertThat(differences).extracting(Difference::kind).containsExactly(Kind.MISSING);
            missing.add(row.primaryKey());
        }

        @Override
        public void undecided(Recheck.Row row, long generation) {
            throw new AssertionError("every shard has come far enough");
        }
    }
}
