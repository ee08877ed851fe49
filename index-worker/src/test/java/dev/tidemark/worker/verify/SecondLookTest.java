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

class SecondLookTest {
    private int suspected;
    private int judged;
    private int undecided;

    @Test
    void aRowThatIsRightIsNeverFoundWrongHoweverOftenItChangesMeanwhile() throws Exception {
        for (long seed = 1; seed <= 25; seed++) {
            ProvingGround ground = filled(seed);
            ground.goOn();

            suspectAll(ground);

            assertThat(judged).as("seed %s", seed).isPositive();
        }
        assertThat(undecided).isZero();
    }

    @Test
    void rowsForWhichThereWasNoMemoryAreLookedAtNext() throws Exception {
        for (int most : new int[] {1, 7}) {
            ProvingGround ground = filled(most);
            ground.findAtMost(most);
            ground.goOn();
            judged = 0;

            suspectAll(ground);

            assertThat(judged).isGreaterThanOrEqualTo(2 * suspected);
        }
        assertThat(undecided).isZero();
    }

    @Test
    void aRowWhoseShardDoesNotComeFarEnoughIsLeftUndecided() throws Exception {
        ProvingGround ground = filled(1);
        KeyBytes ada = ground.put(1_000, "Redmond", "Ada");
        ground.stick();

        assertThatThrownBy(() -> suspectAll(ground))
                .isInstanceOf(CannotVerifyException.class)
                .hasMessageStartingWith("shard people-" + ground.shard(ada).partition() + " has not come as far");

        assertThat(undecided).isPositive();
    }

    @Test
    void waitsOnceForAShardThatDoesNotComeAndThenEnds() throws Exception {
        ProvingGround ground = filled(1);
        for (int id = 0; id < 20; id++) {
            ground.put(id, "Redmond", "Ada");
        }
        ground.stick();

        assertThatThrownBy(() -> suspectAll(ground)).isInstanceOf(CannotVerifyException.class);

        assertThat(undecided).as("rows of that shard").isGreaterThan(10);
        assertThat(ground.waits()).isLessThanOrEqualTo(ground.shards().size());
    }

    @Test
    void aRowIsJudgedWhateverWasCommittedSinceInOtherPartitions() throws Exception {
        ProvingGround ground = filled(1);
        KeyBytes ada = ground.put(1_000, "Redmond", "Ada");
        ground.stick();
        KeyBytes other = ground.facts().keySet().stream()
                .filter(key -> ground.shard(key) != ground.shard(ada))
                .findFirst()
                .orElseThrow();

        suspect(ground, List.of(other));

        assertThat(judged).isEqualTo(2);
    }

    private void suspectAll(ProvingGround ground) throws Exception {
        suspect(ground, List.copyOf(ground.facts().keySet()));
    }

    private void suspect(ProvingGround ground, List<KeyBytes> rows) throws Exception {
        suspected = rows.size();
        SecondLook second = new SecondLook(
                ground.table(),
                new RowDeriver(List.of(ground.generation("by_town"), ground.generation("whole"))),
                ground,
                1 << 20,
                ground,
                new Outcomes());
        for (KeyBytes key : rows) {
            second.add(new Suspect(
                    ground.shard(key), key, ground.generation("by_town").id(), Set.of()));
            second.add(new Suspect(
                    ground.shard(key), key, ground.generation("whole").id(), Set.of()));
        }
        second.look();
    }

    private static ProvingGround filled(long seed) {
        ProvingGround ground = new ProvingGround(seed);
        for (int i = 0; i < 200; i++) {
            ground.change(5);
        }
        ground.settle();
        return ground;
    }

    private final class Outcomes implements SecondLook.Outcome {
        @Override
        public void judged(
                SecondLook.Row row, RowSight sight, Optional<StreamedFact> fact, List<Difference> differences) {
            judged++;
            assertThat(differences).isEmpty();
        }

        @Override
        public void undecided(SecondLook.Row row, long generation) {
            undecided++;
        }
    }
}
