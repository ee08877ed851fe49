package dev.tidemark.deploy.simulation;

import java.util.Optional;
import java.util.Set;
import java.util.stream.LongStream;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Thousands of seeds through {@link Simulation}. {@code -Dsimulation.seeds=N} sets how many,
 * {@code -Dsimulation.first=S} where they begin, and {@code -Dsimulation.seed=S} runs a single one again.
 */
@ExtendWith(SilencedLogs.class)
class SystemSimulationTest {
    private static final long FIRST = Long.getLong("simulation.seed", Long.getLong("simulation.first", 1));
    private static final long SEEDS =
            Long.getLong("simulation.seed") == null ? Long.getLong("simulation.seeds", 5_000) : 1;

    /** So many seeds meet every place; more of them keep all processors busy. */
    private static final long ENOUGH = 5_000;

    /** So many seeds after each other are told of together. */
    private static final long PIECE = 25_000;

    /** A run with two writers takes longer, and there is less for it to meet. */
    private static final long SEEDS_OF_TWO_WRITERS = Math.max(1, SEEDS / 5);

    @Test
    void holdsEveryGuaranteeForEverySeed() {
        hold(SEEDS, false);
    }

    @Test
    void holdsEveryGuaranteeForTwoWritersOfOneDatabase() {
        hold(SEEDS_OF_TWO_WRITERS, true);
    }

    private static void hold(long seeds, boolean twoWriters) {
        String writers = twoWriters ? "two writers" : "one writer";
        Coverage coverage = new Coverage();
        long start = System.nanoTime();
        for (long first = FIRST; first < FIRST + seeds; first += PIECE) {
            long last = Math.min(first + PIECE, FIRST + seeds) - 1;
            LongStream piece = LongStream.rangeClosed(first, last);
            Optional<String> wrong = (SEEDS > ENOUGH ? piece.parallel() : piece)
                    .mapToObj(seed -> wrong(seed, twoWriters, coverage))
                    .flatMap(Optional::stream)
                    .findFirst();
            assertThat(wrong).isEmpty();
            double minutes = (System.nanoTime() - start) / 60e9;
            System.out.printf(
                    "simulation with %s: seeds %d to %d hold, %.0f a minute%n",
                    writers, FIRST, last, (last + 1 - FIRST) / minutes);
        }
        System.out.printf("%-44s %9s%n%s", "place", "runs", coverage.table());
        assertThat(SEEDS < ENOUGH ? Set.of() : coverage.missing(twoWriters))
                .as("places that no run met")
                .isEmpty();
    }

    private static Optional<String> wrong(long seed, boolean twoWriters, Coverage coverage) {
        try {
            return Simulation.run(seed, Rule.NONE_BROKEN, twoWriters, coverage)
                    .map(wrong -> "%s; run it again with -Dsimulation.seed=%d".formatted(wrong, seed));
        } catch (RuntimeException | Error e) {
            throw new AssertionError("Expected seed " + seed + " to come to its end", e);
        }
    }
}
