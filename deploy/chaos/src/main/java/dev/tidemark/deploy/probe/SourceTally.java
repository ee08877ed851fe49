package dev.tidemark.deploy.probe;

import java.time.Duration;

/** Counts of one source. */
final class SourceTally {
    private final Source source;
    private final Duration allowance;
    private final Distribution differences = new Distribution();
    private long underReported;
    private long unknown;
    private long notJudged;
    private long unanswered;

    SourceTally(Source source, Duration allowance) {
        this.source = source;
        this.allowance = allowance;
    }

    /** Notes how far a claim was from the truth; whether it was too small. */
    boolean judged(double difference) {
        boolean tooSmall = difference < -allowance.toNanos() / 1e9;
        differences.add(difference);
        underReported += tooSmall ? 1 : 0;
        return tooSmall;
    }

    long underReported() {
        return underReported;
    }

    void unknown() {
        unknown++;
    }

    void notJudged() {
        notJudged++;
    }

    void unanswered() {
        unanswered++;
    }

    SourceReport report() {
        DistributionSummary spread = differences.spread();
        return new SourceReport(
                source,
                allowance,
                spread.count() + unknown + notJudged,
                spread.count(),
                underReported,
                unknown,
                notJudged,
                unanswered,
                spread);
    }
}
