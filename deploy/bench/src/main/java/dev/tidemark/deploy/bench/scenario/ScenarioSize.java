package dev.tidemark.deploy.bench.scenario;

import java.math.BigDecimal;
import java.time.Duration;

/**
 * How much is run.
 *
 * @param rounds of each, from 1
 * @param warmUps rounds before them, which do not count
 * @param time of a round, where a round lasts for a time
 * @param rows that are worked on, from 1; the scenario gives their kind
 */
public record ScenarioSize(int rounds, int warmUps, Duration time, int rows) {
    public ScenarioSize {
        if (rounds < 1 || warmUps < 0 || rows < 1 || time.toSeconds() < 1) {
            throw new IllegalArgumentException(
                    "Expected rounds and rows of at least 1 and a time of at least 1 s, but got " + rounds + ", " + rows
                            + " and "
                            + BigDecimal.valueOf(time.toMillis(), 3)
                                    .stripTrailingZeros()
                                    .toPlainString() + " s");
        }
    }

    /** A size whose time is in seconds. */
    ScenarioSize(int rounds, int warmUps, int seconds, int rows) {
        this(rounds, warmUps, Duration.ofSeconds(seconds), rows);
    }

    /** All rounds, those that do not count too. */
    public int allRounds() {
        return warmUps + rounds;
    }
}
