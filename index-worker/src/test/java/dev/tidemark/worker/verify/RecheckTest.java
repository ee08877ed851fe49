package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.RowDeriver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class RecheckTest {
    private int suspected;
    private int judged;
    private int undecided;

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

    private void suspectAll(VerifyFixture fixture) throws Exception {
        suspect(fixture, List.copyOf(fixture.facts().keySet()));
    }

    private void suspect(VerifyFixture fixture, List<KeyBytes> rows) throws Exception {
        suspected = rows.size();
        Recheck second = new Recheck(
                fixture.table(),
                new RowDeriver(List.of(fixture.generation("by_town"), fixture.generation("whole"))),
                fixture,
                1 << 20,
                fixture,
                new Outcomes());
        for (KeyBytes key : rows) {
            second.add(new Candidate(
                    fixture.shard(key), key, fixture.generation("by_town").id(), Set.of()));
            second.add(new Candidate(
                    fixture.shard(key), key, fixture.generation("whole").id(), Set.of()));
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
            assertThat(differences).isEmpty();
        }

        @Override
        public void undecided(Recheck.Row row, long generation) {
            undecided++;
        }
    }
}
