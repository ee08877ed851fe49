package dev.tidemark.deploy.drill;

import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/**
 * What a drill is to be.
 *
 * @param seed decides what is written and what is hit; what follows from it depends on the machine
 * @param walk what comes before the rounds
 * @param rounds how many at most; at least 1
 * @param time since the first round began, after which no further one begins; empty for no bound
 * @param faults what is done in rounds; at least one kind
 * @param round how long faults are injected in one round
 * @param groups the workers
 */
public record DrillPlan(
        long seed,
        Walk walk,
        int rounds,
        Optional<Duration> time,
        Set<FaultKind> faults,
        Duration round,
        Groups groups) {
    /** How long a round usually is. */
    public static final Duration ROUND = Duration.ofMillis(3_500);

    /**
     * Kills at the named points.
     *
     * @param times how often at each; 0 for not at all
     * @param nth 1 for all of them, n for an n-th, which the seed chooses
     * @param most how long it may take, for each time; a point that is then missed is a difference
     */
    public record Walk(int times, int nth, Duration most) {
        public Walk {
            if (times < 0 || nth < 1 || most.isNegative()) {
                throw new IllegalArgumentException(
                        "Expected a walk of no less than nothing, but got " + times + " of 1/" + nth + " in " + most);
            }
        }
    }

    /**
     * How many workers there are.
     *
     * @param workers of each replica group
     */
    public record Groups(int workers, int replicaGroups) {
        /** One worker. */
        public static final Groups ONE = new Groups(1, 1);

        private static final int MOST = 8;

        public Groups {
            if (workers < 1 || replicaGroups < 1 || workers > MOST || replicaGroups > MOST) {
                throw new IllegalArgumentException("Expected 1 to " + MOST + " workers in 1 to " + MOST
                        + " replica groups, but got " + workers + " in " + replicaGroups);
            }
        }

        /** The replica group of a worker; all count from 0. */
        String nameOf(int worker) {
            return Character.toString('a' + worker / workers);
        }

        /** How many there are in all. */
        public int all() {
            return workers * replicaGroups;
        }
    }

    public DrillPlan {
        if (rounds < 1 || faults.isEmpty() || round.isNegative()) {
            throw new IllegalArgumentException(
                    "Expected at least one round and one kind of fault, but got " + rounds + " rounds of " + faults);
        }
        faults = EnumSet.copyOf(faults);
    }

    /** The points of the walk. */
    public List<FaultStats.ServiceFailpoint> walked() {
        return walk.nth() == 1
                ? FaultStats.ServiceFailpoint.all()
                : FaultStats.ServiceFailpoint.share(walk.nth(), new Random(seed));
    }

    /**
     * The number that decides whose turn it is in a round, so that a short drill does not always begin with the same
     * kind.
     */
    int turn(int round) {
        return (int) Math.floorMod(seed + round, (long) Integer.MAX_VALUE);
    }
}
