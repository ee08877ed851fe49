package dev.tidemark.deploy.simulation;

import java.time.Duration;
import java.util.List;

import dev.tidemark.progress.IndexHealth;
import dev.tidemark.worker.query.Freshness;

/** An answer that is said to be steady is young, and lacks nothing. */
final class StatedHealth {
    /** Whatever is older and not known to wait is of unknown health. */
    private static final Duration SILENCE = Duration.ofSeconds(5);

    private StatedHealth() {}

    /**
     * Judges an answer.
     *
     * @param gathering how much older it may have become since its parts were read
     */
    static void check(Freshness told, Duration gathering, List<String> violations) {
        boolean isYoung = told.staleness()
                .filter(age -> age.compareTo(SILENCE.plus(gathering)) <= 0)
                .isPresent();
        boolean isWhole =
                told.missingPartitions().isEmpty() && told.quarantined().count() == 0 && told.refused() == 0;
        if (told.state() == IndexHealth.STEADY && !(isYoung && isWhole)) {
            violations.add("is said to be steady, and is of " + told);
        }
    }
}
