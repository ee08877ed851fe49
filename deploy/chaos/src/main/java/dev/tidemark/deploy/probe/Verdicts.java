package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What was found out about each source. */
final class Verdicts {
    private static final int MAX_LIES_OF_A_SOURCE = 10;

    private final Instant start;
    private final Duration tolerance;
    private final Map<Source, SourceTally> tallies = new EnumMap<>(Source.class);
    private final List<UnderReport> lies = new ArrayList<>();
    private double worstTruth;

    Verdicts(Duration tolerance, Instant start) {
        this.start = start;
        this.tolerance = tolerance;
        for (Source source : Source.values()) {
            of(source);
        }
    }

    /** The tally of a source. */
    SourceTally of(Source source) {
        return tallies.computeIfAbsent(source, key -> new SourceTally(key, key.allowance(tolerance)));
    }

    /**
     * Holds a number against the truth.
     *
     * @param said seconds
     * @param at the moment that the truth is about
     * @param missing the oldest change that was not visible then
     */
    void judge(Source source, double said, Instant at, Optional<Canary> missing) {
        double truth = missing.map(canary -> seconds(Duration.between(canary.acknowledged(), at)))
                .orElse(0.0);
        worstTruth = Math.max(worstTruth, truth);
        SourceTally tally = of(source);
        if (tally.judged(said - truth) && tally.underReported() <= MAX_LIES_OF_A_SOURCE) {
            missing.ifPresent(
                    canary -> lies.add(new UnderReport(source, Duration.between(start, at), said, truth, canary)));
        }
    }

    List<SourceReport> sources() {
        return tallies.values().stream().map(SourceTally::report).toList();
    }

    List<UnderReport> lies() {
        return List.copyOf(lies);
    }

    double worstTruth() {
        return worstTruth;
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
