package dev.tidemark.deploy.simulation;

import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.Generation;

/** The definitions as one worker knows them. Others may know later ones already; none knows earlier ones again. */
final class KnownDefinitions {
    /** So many steps at most until the worker has read what is in force. */
    private static final int MOST_STEPS = 60;

    private final SimulatedDefinitions inForce;
    private final RandomSource chance;
    private Definitions current;
    private Definitions layout;
    private int stepsLeft;

    KnownDefinitions(SimulatedDefinitions inForce, RandomSource chance) {
        this.inForce = inForce;
        this.chance = chance;
        this.current = inForce.current();
        this.layout = inForce.layout();
    }

    /** Time passes, and after some of it the worker knows what changed. */
    void learn() {
        if (current.version() == inForce.current().version()) {
            return;
        }
        if (stepsLeft == 0) {
            stepsLeft = 1 + chance.below(chance.oneIn(2) ? 2 : MOST_STEPS);
        }
        stepsLeft--;
        if (stepsLeft == 0 || !chance.hasFaults()) {
            read();
        } else {
            chance.meet(CoveragePoint.A_WORKER_KNEW_EARLIER_DEFINITIONS);
        }
    }

    /** The worker reads what is in force. */
    void read() {
        stepsLeft = 0;
        current = inForce.current();
        layout = inForce.layout();
    }

    Definitions current() {
        return current;
    }

    /** What topics and shards hold of them. */
    Definitions layout() {
        return layout;
    }

    /** Those that operators have brought in force. */
    SimulatedDefinitions inForce() {
        return inForce;
    }

    /** Whether a generation is in a derived table that came after the run began. */
    boolean isOfTheRun(Generation generation) {
        return inForce.isOfTheRun(generation);
    }
}
