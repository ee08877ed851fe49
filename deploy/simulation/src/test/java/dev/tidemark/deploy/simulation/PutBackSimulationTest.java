package dev.tidemark.deploy.simulation;

import java.util.Optional;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/** Fact tables that are put back to copies. */
@ExtendWith(Quiet.class)
class PutBackSimulationTest {
    private static final long SEEDS = Long.getLong("simulation.put.back.seeds", 100);

    @Test
    void indexesFollowFactTablesThatWentBackInTime() {
        LongStream.rangeClosed(1, SEEDS)
                .forEach(seed -> assertThat(Simulation.runPuttingBack(seed, Rule.NONE_BROKEN))
                        .as("seed %d", seed)
                        .isEmpty());
    }

    @Test
    void withoutAnotherEpochTheyDoNot() {
        Optional<String> wrong = LongStream.rangeClosed(1, SEEDS)
                .mapToObj(seed -> Simulation.runPuttingBack(seed, Rule.ANOTHER_EPOCH_FOR_A_LOST_TAIL))
                .flatMap(Optional::stream)
                .findFirst();

        assertThat(wrong).isPresent();
    }
}
