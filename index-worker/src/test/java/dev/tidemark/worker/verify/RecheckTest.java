package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.store.IndexMutation;
import dev.tidemark.worker.store.RowState;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecheckTest {
    private int suspected;
    private int judged;
    private int undecided;
    private boolean right = true;
    private Optional<RowObservation> latest = Optional.empty();

    @Test
    void aRowThatIsRightIsNeverFoundWrongHoweverOftenItChangesMeanwhile() throws Exception {
        for (long seed = 1; seed <= 6; seed++) {
            VerifyFixture fixture = filled(seed);
            fixture.goOn();

            suspectAll(fixture);

            assertThat(judged).as("seed %s", seed).isPositive();
        }
        assertThat(undecided).isZero();
    }

    @Test
    void rowsForWhichThereWasNoMemoryAreLookedAtNext() throws Exception {
        for (int most : new int[] {1, 7}) {
            VerifyFixture fixture = filled(most);
            fixture.findAtMost(most);
            fixture.goOn();
            judged = 0;

            suspectAll(fixture);

            assertThat(judged).isGreaterThanOrEqualTo(2 * suspected);
        }
        assertThat(undecided).isZero();
    }

    @Test
    void aRowWhoseShardDoesNotComeFarEnoughIsLeftUndecided() throws Exception {
        VerifyFixture fixture = filled(1);
        KeyBytes ada = fixture.put(1_000, "Redmond", "Ada");
        fixture.stick();

        assertThatThrownBy(() -> suspectAll(fixture))
                .isInstanceOf(CannotVerifyException.class)
                .hasMessageStartingWith("shard people-" + fixture.shard(ada).partition() + " has not come as far");

        assertThat(undecided).isPositive();
    }

    @Test
    void waitsOnceForAShardThatDoesNotComeAndThenEnds() throws Exception {
        VerifyFixture fixture = filled(1);
        for (int id = 0; id < 20; id++) {
            fixture.put(id, "Redmond", "Ada");
        }
        fixture.stick();

        assertThatThrownBy(() -> suspectAll(fixture)).isInstanceOf(CannotVerifyException.class);

        assertThat(undecided).as("rows of that shard").isGreaterThan(10);
        assertThat(fixture.waits()).isLessThanOrEqualTo(fixture.shards().size());
    }

    @Test
    void aRowIsJudgedWhateverWasCommittedSinceInOtherPartitions() throws Exception {
        VerifyFixture fixture = filled(1);
        KeyBytes ada = fixture.put(1_000, "Redmond", "Ada");
        fixture.stick();
        KeyBytes other = fixture.facts().keySet().stream()
                .filter(key -> fixture.shard(key) != fixture.shard(ada))
                .findFirst()
                .orElseThrow();

        suspect(fixture, List.of(other));

        assertThat(judged).isEqualTo(2);
    }

    @Test
    void holdsAnEighthOfTheMemoryAndNoMoreThan8MiB() {
        assertThat(Recheck.bytes(new MemoryBudget(8 << 20).part("verification", 1)))
                .isEqualTo(1 << 20);
        assertThat(Recheck.bytes(MemoryBudget.unlimited().part("verification", 1)))
                .isEqualTo(8 << 20);
    }

    @Test
    void looksOnce200RowsWait() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        Recheck second = recheck(fixture, fixture, 1 << 20);
        for (int id = 0; id < 200; id++) {
            assertThat(fixture.found()).isZero();
            KeyBytes row = fixture.put(id, "Redmond", "Ada");
            fixture.settle();
            suspect(second, fixture, row, "by_town", Set.of());
        }

        assertThat(fixture.found()).isEqualTo(200);
        assertThat(judged).isEqualTo(200);
    }

    @Test
    void looksOnceTheirEntriesHaveManyBytes() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        KeyBytes ada = fixture.put(1, "Redmond", "Ada");
        KeyBytes bob = fixture.put(2, "Redmond", "Bob");
        fixture.settle();
        KeyBytes entry = KeyBytes.wrap(new byte[58]);
        Recheck second = recheck(fixture, fixture, 4 * 2 * (192 + 58));

        for (int round = 1; round <= 2; round++) {
            suspect(second, fixture, ada, "by_town", Set.of(entry));
            assertThat(fixture.found()).isEqualTo(2 * round - 2);
            suspect(second, fixture, bob, "by_town", Set.of(entry));
            assertThat(fixture.found()).isEqualTo(2 * round);
        }
    }

    @Test
    void aWrongRowCountsOnceAsLongAsItIsRemembered() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        List<KeyBytes> rows = List.of(fixture.put(1, "Redmond", "Ada"), fixture.put(2, "Redmond", "Bob"));
        fixture.loseOne();
        fixture.loseOne();
        fixture.settle();
        right = false;

        // There is memory for one of them.
        Recheck second = recheck(fixture, fixture, 2L * (192 + rows.get(0).length()));
        for (int round = 1; round <= 3; round++) {
            for (KeyBytes row : rows) {
                suspect(second, fixture, row, "by_town", Set.of());
            }
            second.look();
            assertThat(judged).isEqualTo(1 + round);
        }
    }

    @Test
    void aRowThatIsDeletedEachTimeBetweenAViewAndAnAnswerIsLeftUndecidedAfterThreeViews() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        KeyBytes row = fixture.put(1, "Redmond", "Ada");
        fixture.settle();
        Answers deleted = new Answers(fixture.version(row), Optional.empty());
        Recheck second = recheck(fixture, deleted, 1 << 20);
        Set<KeyBytes> extra = Set.of(KeyBytes.wrap(new byte[] {(byte) 0xEE}));

        for (int looks = 1; looks <= 2; looks++) {
            suspect(second, fixture, row, "by_town", extra);
            second.look();

            assertThat(undecided).isEqualTo(looks);
            assertThat(deleted.asked).as("before and after each view").isEqualTo(looks * 3 * 2);
        }
        assertThat(judged).isZero();
    }

    @Test
    void rowsThatMovedAreAskedForOnceMoreTogetherUnlessTheyAreManyBytes() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        List<KeyBytes> rows = List.of(fixture.put(1, "Redmond", "Ada"), fixture.put(2, "Redmond", "Bob"));
        fixture.settle();
        suspect(fixture, fixture, rows, 1 << 20);
        RowObservation sight = latest.orElseThrow();
        // The table has no such row at the first look.
        long bytes = 4 * (sight.bytes() - sight.fact().orElseThrow().derived().bytes());

        assertThat(askedFor(fixture, rows, bytes)).as("at once for each").isEqualTo(3);
        assertThat(askedFor(fixture, rows, bytes + 4)).as("for both").isEqualTo(2);
        fixture.findAtMost(1);
        assertThat(askedFor(fixture, rows, bytes + 4)).as("with memory for one").isEqualTo(3);
    }

    @Test
    void aRowThatMovesOnOnceMoreIsHeldAgainstItsOwnState() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        KeyBytes row = fixture.put(1, "Redmond", "Ada");
        fixture.settle();
        Answers newer = new Answers(fixture.version(row), Optional.of(fixture));
        fixture.put(1, "Bothell", "Ada");

        suspect(fixture, newer, List.of(row), 1 << 20);

        assertThat(newer.asked).isEqualTo(2);
        assertThat(judged).isEqualTo(1);
    }

    @Test
    void aRowThatIsDeletedMeanwhileIsHeldAgainstItsOwnState() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        KeyBytes row = fixture.put(1, "Redmond", "Ada");
        fixture.delete(1);
        fixture.settle();
        Answers none = new Answers(fixture.shard(row).state(row).orElseThrow().version(), Optional.empty());

        suspect(fixture, none, List.of(row), 1 << 20);

        assertThat(none.asked).isEqualTo(2);
        assertThat(judged).isEqualTo(1);
    }

    @Test
    void findsEntriesWhereTheTableHasThemAlthoughTheStateKnowsNone() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        KeyBytes row = fixture.put(1, "Redmond", "Ada");
        fixture.settle();
        RowState state = fixture.shard(row).state(row).orElseThrow();
        fixture.shard(row).setState(row, Optional.of(new RowState(state.version(), state.standing(), Map.of())));
        right = false;

        suspect(fixture, fixture, List.of(row), 1 << 20);

        assertThat(judged).isEqualTo(1);
        assertThat(latest).hasValueSatisfying(sight -> assertThat(sight.found()).hasSize(1));
    }

    @Test
    void theTableIsNotAskedForAKeyThatNoRowOfItCanHave() throws Exception {
        VerifyFixture fixture = new VerifyFixture(1);
        fixture.settle();
        KeyBytes garbage = KeyBytes.wrap(new byte[] {(byte) 0xEE, 1, 2});
        long generation = fixture.generation("by_town").id();
        VerifyShardFixture shard = fixture.shards().get(fixture.table().partitionOf(garbage));
        shard.tamper(new IndexMutation.PutEntry(generation, garbage, KeyBytes.EMPTY));
        right = false;

        Recheck second = recheck(fixture, fixture, 1 << 20);
        second.add(new Recheck.Row(shard, garbage), generation, Set.of(garbage));
        second.look();

        assertThat(judged).isEqualTo(1);
        assertThat(fixture.found()).isZero();
    }

    /** How often the table is asked for rows that it has only at the second time. */
    private int askedFor(VerifyFixture fixture, List<KeyBytes> rows, long bytes) throws Exception {
        judged = 0;
        Answers late = new Answers(fixture.version(rows.get(0)), Optional.of(fixture));
        suspect(fixture, late, rows, bytes);
        assertThat(judged).isEqualTo(rows.size());
        return late.asked;
    }

    private void suspect(VerifyFixture fixture, FactReader facts, List<KeyBytes> rows, long bytes) throws Exception {
        Recheck second = recheck(fixture, facts, bytes);
        for (KeyBytes row : rows) {
            suspect(second, fixture, row, "by_town", Set.of());
        }
        second.look();
        assertThat(fixture.openReaders()).isZero();
    }

    private Recheck recheck(VerifyFixture fixture, FactReader facts, long bytes) {
        return new Recheck(
                fixture.table(),
                new RowShards(fixture.table(), List.of(fixture.generation("by_town"))),
                facts,
                bytes,
                fixture,
                new Outcomes());
    }

    private static void suspect(Recheck second, VerifyFixture fixture, KeyBytes row, String index, Set<KeyBytes> extra)
            throws Exception {
        second.add(
                new Recheck.Row(fixture.shard(row), row),
                fixture.generation(index).id(),
                extra);
    }

    /** A table without a row at first, from before a version on; when it is asked again, it has what another has. */
    private static final class Answers implements FactReader {
        private final RowVersion version;
        private final Optional<FactReader> later;
        private int asked;

        Answers(RowVersion version, Optional<FactReader> later) {
            this.version = version;
            this.later = later;
        }

        @Override
        public FactStream stream(TableDefinition table, boolean whole) throws CannotVerifyException {
            throw new CannotVerifyException("nobody reads the whole table");
        }

        @Override
        public Found find(TableDefinition table, List<KeyBytes> keys)
                throws CannotVerifyException, InterruptedException {
            boolean first = asked == 0 || (later.isEmpty() && asked % 2 == 0);
            asked++;
            if (!first && later.isPresent()) {
                return later.get().find(table, keys);
            }
            RowVersion before = new RowVersion(version.epoch(), version.sequence() - 1);
            List<Optional<StreamedFact>> none =
                    keys.stream().map(key -> Optional.<StreamedFact>empty()).toList();
            return new Found(first ? before : version, version, none, List.of());
        }
    }

    private void suspectAll(VerifyFixture fixture) throws Exception {
        suspect(fixture, List.copyOf(fixture.facts().keySet()));
    }

    private void suspect(VerifyFixture fixture, List<KeyBytes> rows) throws Exception {
        suspected = rows.size();
        Recheck second = new Recheck(
                fixture.table(),
                new RowShards(fixture.table(), List.of(fixture.generation("by_town"), fixture.generation("whole"))),
                fixture,
                1 << 20,
                fixture,
                new Outcomes());
        for (KeyBytes key : rows) {
            suspect(second, fixture, key, "by_town", Set.of());
            suspect(second, fixture, key, "whole", Set.of());
        }
        second.look();
    }

    private static VerifyFixture filled(long seed) {
        VerifyFixture fixture = new VerifyFixture(seed);
        for (int i = 0; i < 200; i++) {
            fixture.change(5);
        }
        fixture.settle();
        return fixture;
    }

    private final class Outcomes implements Recheck.Outcome {
        @Override
        public void judged(
                Recheck.Row row, RowObservation sight, Optional<StreamedFact> fact, List<Difference> differences) {
            judged++;
            latest = Optional.of(sight);
            assertThat(differences.isEmpty()).isEqualTo(right);
        }

        @Override
        public void undecided(Recheck.Row row, long generation) {
            undecided++;
        }
    }
}
