package dev.tidemark.deploy.drill;

import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

import dev.tidemark.deploy.drill.fault.FaultKind;

/**
 * What a drill is to be.
 *
 * @param seed decides what is written and what is hit; what follows from it depends on the machine
 * @param rounds how many at most
 * @param time after which no further round begins; empty for no bound
 * @param faults what is done; at least one kind
 * @param round how long faults are injected in one round
 */
public record DrillPlan(long seed, int rounds, Optional<Duration> time, Set<FaultKind> faults, Duration round) {
    /** How long a round usually is. */
    public static final Duration ROUND = Duration.ofMillis(3_500);

    public DrillPlan {
        if (rounds < 1 || faults.isEmpty() || round.isNegative()) {
            throw new IllegalArgumentException(
                    "Expected at least one round and one kind of fault, but got " + rounds + " rounds of " + faults);
        }
        faults = EnumSet.copyOf(faults);
    }
}
