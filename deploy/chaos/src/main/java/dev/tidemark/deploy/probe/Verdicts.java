package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** What was found out about each source. */
final class Verdicts {
    private static final int MAX_LIES_OF_A_SOURCE = 10;

    private final Instant start;
    private final Map<Source, Tally> tallies = new EnumMap<>(Source.class);
    private final List<UnderReport> lies = new ArrayList<>();
    private double worstTruth;

    /** Counts of one source. */
    private static final class Tally {
        private final Duration allowance;
        private final Distribution differences = new Distribution();
        private long underReported;
        private long unknown;
        private long notJudged;
        private long unanswered;

        Tally(Duration allowance) {
            this.allowance = allowance;
        }
    }

    Verdicts(Duration tolerance, Instant start) {
        this.start = start;
        for (Source source : Source.values()) {
            tallies.put(source, new Tally(source.allowance(tolerance)));
        }
    }

    void unknown(Source source) {
        of(source).unknown++;
    }

    void notJudged(Source source) {
        of(source).notJudged++;
    }

    void unanswered(Source source) {
        of(source).unanswered++;
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
        Tally tally = of(source);
        tally.differences.add(said - truth);
        if (said - truth < -seconds(tally.allowance)) {
            tally.underReported++;
            missing.filter(canary -> tally.underReported <= MAX_LIES_OF_A_SOURCE)
                    .ifPresent(canary ->
                            lies.add(new UnderReport(source, Duration.between(start, at), said, truth, canary)));
        }
    }

    List<SourceReport> sources() {
        List<SourceReport> reports = new ArrayList<>();
        tallies.forEach((source, tally) -> {
            DistributionSummary spread = tally.differences.spread();
            reports.add(new SourceReport(
                    source,
                    tally.allowance,
                    spread.count() + tally.unknown + tally.notJudged,
                    spread.count(),
                    tally.underReported,
                    tally.unknown,
                    tally.notJudged,
                    tally.unanswered,
                    spread));
        });
        return reports;
    }

    List<UnderReport> lies() {
        return lies;
    }

    double worstTruth() {
        return worstTruth;
    }

    private Tally of(Source source) {
        return Objects.requireNonNull(tallies.get(source));
    }

    static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
