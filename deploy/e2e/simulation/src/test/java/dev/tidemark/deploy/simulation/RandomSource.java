package dev.tidemark.deploy.simulation;

import java.util.EnumSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * Where all that is random in a run comes from, so that the seed determines it. Faults can be switched off and on.
 * Counts what the run meets.
 *
 * <p>Half of the runs are alike. Each of the others has its own odds for everything, many of them nothing or much, so
 * that together they meet what all odds being middling never lead to (Groce and others, "Swarm Testing", 2012).
 */
final class RandomSource {
    private static final int KILLS = 150;

    /** Where a process of this run ends most often. */
    private static final int FAVOURED_KILLS = 15;

    /** At points that hardly a run comes to. */
    private static final int SELDOM_KILLS = 5;

    private static final List<Integer> UNUSUAL_WEIGHTS = List.of(0, 0, 1, 1, 3, 8);

    private final Random random;
    private final Set<CoveragePoint> met = EnumSet.noneOf(CoveragePoint.class);
    private final boolean isUnusual;
    private final Set<CoveragePoint> favoured = EnumSet.noneOf(CoveragePoint.class);
    private boolean faults = true;

    RandomSource(long seed) {
        this.random = new Random(seed);
        this.isUnusual = oneIn(2);
        if (isUnusual) {
            favoured.add(
                    pick(List.copyOf(EnumSet.range(CoveragePoint.BEFORE_SENDING, CoveragePoint.BETWEEN_TWO_COMMITS))));
        }
    }

    Random random() {
        return random;
    }

    int below(int bound) {
        return random.nextInt(bound);
    }

    boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    <T> T pick(List<T> choices) {
        return choices.get(random.nextInt(choices.size()));
    }

    /** Weights for so many kinds of things: all alike, or in some runs each its own, and never all 0. */
    int[] weights(int kinds) {
        int[] weights = new int[kinds];
        for (int i = 0; i < kinds; i++) {
            weights[i] = isUnusual ? pick(UNUSUAL_WEIGHTS) : 1;
        }
        weights[below(kinds)] += isUnusual ? 1 : 0;
        return weights;
    }

    /** One of as many kinds as there are weights. */
    int kind(int[] weights) {
        int left = 0;
        for (int weight : weights) {
            left += weight;
        }
        left = below(left);
        int kind = 0;
        while (left >= weights[kind]) {
            left -= weights[kind];
            kind++;
        }
        return kind;
    }

    /** Whether a fault strikes now. */
    boolean faultOneIn(int times) {
        return faults && oneIn(times);
    }

    /** A point where the process may end. */
    void failpoint(CoveragePoint place) {
        failpoint(place, favoured.contains(place) ? FAVOURED_KILLS : KILLS);
    }

    /** A point that few runs come to, and hardly one of them twice. */
    void seldomFailpoint(CoveragePoint place) {
        failpoint(place, SELDOM_KILLS);
    }

    private void failpoint(CoveragePoint place, int times) {
        if (faultOneIn(times)) {
            meet(place);
            throw new SimulatedCrash(place.name());
        }
    }

    /** Whether faults may still strike. */
    boolean hasFaults() {
        return faults;
    }

    void beginFaults() {
        faults = true;
    }

    void endFaults() {
        faults = false;
    }

    /** The run has come there. */
    void meet(CoveragePoint place) {
        met.add(place);
    }

    /** Where the run has been. */
    Set<CoveragePoint> met() {
        return met;
    }
}
