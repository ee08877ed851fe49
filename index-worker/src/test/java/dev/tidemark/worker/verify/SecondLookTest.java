package dev.tidemark.worker.verify;

import java.util.List;
import java.util.Optional;
import java.util.Set;

import org.junit.jupiter.api.Test;

import dev.tidemark.facts.StreamedFact;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.worker.apply.RowDeriver;

import static org.assertj.core.api.Assertions.assertThat;

class SecondLookTest {
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
    void aRowWhoseShardDoesNotComeFarEnoughIsLeftUndecided() throws Exception {
        ProvingGround ground = filled(1);
        ground.put(1_000, "Redmond", "Ada");
        ground.stick();

        suspectAll(ground);

        assertThat(judged).isZero();
        assertThat(undecided).isPositive();
    }

    private void suspectAll(ProvingGround ground) throws Exception {
        SecondLook second = new SecondLook(
                ground.table(),
                new RowDeriver(List.of(ground.generation("by_town"), ground.generation("whole"))),
                ground,
                ground,
                new Outcomes());
        for (KeyBytes key : List.copyOf(ground.facts().keySet())) {
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
