package dev.tidemark.deploy.bench.chart;

/**
 * A ratio that was measured, and what it was to be.
 *
 * @param label what was measured, beside what
 * @param ratio the measured one; above 0
 * @param wanted the ratio that is the aim; above 0
 * @param atLeast whether more is better
 */
record AimResult(String label, double ratio, double wanted, boolean atLeast) {

    /** How far it was reached: 1 where it just was, 0.5 at half of the way, above 1 beyond it. */
    double share() {
        return atLeast ? ratio / wanted : wanted / ratio;
    }

    boolean isReached() {
        return share() >= 1;
    }
}
