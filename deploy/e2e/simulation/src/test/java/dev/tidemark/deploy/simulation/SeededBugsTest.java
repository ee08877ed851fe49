package dev.tidemark.deploy.simulation;

import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Checks the checks: whatever rule is broken on purpose, the simulation notices. Prints which seed did, when, and by
 * what. {@code -Dsimulation.budget=N} sets within how many seeds, counted from 1. {@code -Dsimulation.share=1} breaks
 * all rules; otherwise every Nth is broken, and on the next day those after them.
 */
@Tag("slow")
@ExtendWith(SilencedLogs.class)
class SeededBugsTest {
    private static final int BUDGET = Integer.getInteger("simulation.budget", 2_000);
    private static final int SHARE = Integer.getInteger("simulation.share", 5);
    private static final int SHOWN = 160;
    private static final int MOST_MEDIAN = 50;

    @Test
    void everyBrokenRuleIsNoticed() {
        List<Rule> unnoticed = new ArrayList<>();
        List<Integer> seeds = new ArrayList<>();
        System.out.printf("%-34s %6s %8s  %s%n", "broken", "seed", "seconds", "noticed by");
        List<Rule> rules = List.copyOf(EnumSet.complementOf(EnumSet.of(Rule.NONE_BROKEN)));
        for (int i = (int) (LocalDate.now(ZoneOffset.UTC).toEpochDay() % SHARE); i < rules.size(); i += SHARE) {
            Rule rule = rules.get(i);
            int seed = seedThatNotices(rule);
            if (seed > BUDGET) {
                unnoticed.add(rule);
            }
            seeds.add(seed);
        }
        Collections.sort(seeds);
        int median = seeds.get(seeds.size() / 2);
        System.out.printf("median of %d: %d seeds, most: %d%n", seeds.size(), median, seeds.get(seeds.size() - 1));
        assertThat(unnoticed).as("not noticed within %d seeds", BUDGET).isEmpty();
        assertThat(median).as("median of seeds until a broken rule is noticed").isLessThanOrEqualTo(MOST_MEDIAN);
    }

    /** The first seed that notices that a rule is broken; more than the budget where none does. */
    private static int seedThatNotices(Rule rule) {
        long start = System.nanoTime();
        for (int seed = 1; seed <= BUDGET; seed++) {
            Optional<String> wrong = Simulation.run(seed, rule);
            if (wrong.isPresent()) {
                String text = wrong.get();
                System.out.printf(
                        "%-34s %6d %8.1f  %s%n",
                        rule,
                        seed,
                        (System.nanoTime() - start) / 1e9,
                        text.substring(0, Math.min(SHOWN, text.length())));
                return seed;
            }
        }
        return BUDGET + 1;
    }
}
