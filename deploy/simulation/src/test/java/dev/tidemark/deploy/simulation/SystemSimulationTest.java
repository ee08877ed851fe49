package dev.tidemark.deploy.simulation;

import java.util.Optional;
import java.util.stream.LongStream;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.slf4j.LoggerFactory;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of seeds through {@link Simulation}. {@code -Dsimulation.seeds=N} sets how many, {@code -Dsimulation.seed=S}
 * runs a single one again.
 */
class SystemSimulationTest {
    private static final long SEEDS = Long.getLong("simulation.seeds", 2_000);
    private static final int SEEDS_TO_FIND_A_BROKEN_RULE = 2_000;

    private static final Logger LOGGER = (Logger) LoggerFactory.getLogger("dev.tidemark");

    /** Faults are reported by whoever meets them, thousands of times. */
    @BeforeAll
    static void beQuiet() {
        LOGGER.setLevel(Level.OFF);
    }

    @AfterAll
    static void speakAgain() {
        LOGGER.setLevel(null);
    }

    @Test
    void holdsEveryGuaranteeForEverySeed() {
        Long single = Long.getLong("simulation.seed");
        long start = System.nanoTime();
        LongStream seeds = single == null ? LongStream.rangeClosed(1, SEEDS) : LongStream.of(single);
        seeds.forEach(seed -> assertThat(Simulation.run(seed, Rule.NONE_BROKEN))
                .as("seed %d, run it again with -Dsimulation.seed=%d", seed, seed)
                .isEmpty());
        double minutes = (System.nanoTime() - start) / 60e9;
        System.out.printf("simulation: %d seeds, %.0f a minute%n", SEEDS, SEEDS / minutes);
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "NONE_BROKEN")
    void noticesWhenARuleIsBroken(Rule broken) {
        for (long seed = 1; seed <= SEEDS_TO_FIND_A_BROKEN_RULE; seed++) {
            Optional<String> wrong = Simulation.run(seed, broken);
            if (wrong.isPresent()) {
                System.out.printf("simulation without %s: caught by seed %d: %s%n", broken, seed, wrong.get());
                return;
            }
        }
        assertThat(broken)
                .as("noticed within %d seeds", SEEDS_TO_FIND_A_BROKEN_RULE)
                .isNull();
    }
}
