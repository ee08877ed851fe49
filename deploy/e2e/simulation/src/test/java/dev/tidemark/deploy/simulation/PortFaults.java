package dev.tidemark.deploy.simulation;

import java.util.function.Supplier;

/**
 * Has calls of a port fail now and then. A call that failed did nothing, or did all that it was asked for, and only its
 * answer is missing.
 */
final class PortFaults {
    private final RandomSource chance;
    private final CoveragePoint met;
    private final int oneIn;
    private boolean begun;

    PortFaults(RandomSource chance, CoveragePoint met, int oneIn) {
        this.chance = chance;
        this.met = met;
        this.oneIn = oneIn;
    }

    /** Calls fail from now on, and have not before. */
    PortFaults begin() {
        begun = true;
        return this;
    }

    <T> T read(Supplier<T> call) {
        if (strikes()) {
            throw failure();
        }
        return call.get();
    }

    void write(Runnable call) {
        written(() -> {
            call.run();
            return true;
        });
    }

    /** A write that has an answer. */
    <T> T written(Supplier<T> call) {
        boolean fails = strikes();
        if (fails && chance.oneIn(2)) {
            throw failure();
        }
        T answer = call.get();
        if (fails) {
            throw failure();
        }
        return answer;
    }

    private boolean strikes() {
        return begun && chance.faultOneIn(oneIn);
    }

    private IllegalStateException failure() {
        chance.meet(met);
        return new IllegalStateException("simulated: " + met);
    }
}
