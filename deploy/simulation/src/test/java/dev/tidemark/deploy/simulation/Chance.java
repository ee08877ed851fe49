package dev.tidemark.deploy.simulation;

import java.util.List;
import java.util.Random;

/** Where all that is random in a run comes from, so that the seed determines it. Faults can be switched off for good. */
final class Chance {
    private final Random random;
    private boolean faults = true;

    Chance(long seed) {
        this.random = new Random(seed);
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

    /** Whether a fault strikes now. */
    boolean faultOneIn(int times) {
        return faults && oneIn(times);
    }

    /** A point where the process may end. */
    void killPoint(String name) {
        if (faultOneIn(150)) {
            throw new SimulatedCrash(name);
        }
    }

    void endFaults() {
        faults = false;
    }
}
