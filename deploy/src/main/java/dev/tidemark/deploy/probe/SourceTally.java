package dev.tidemark.deploy.probe;

/** Counts of one source. */
final class SourceTally {
    private final Source source;
    private final Distribution differences = new Distribution();
    private long underReported;
    private long unknown;
    private long notJudged;
    private long unanswered;

    SourceTally(Source source) {
        this.source = source;
    }

    void judged(double difference, boolean tooSmall) {
        differences.add(difference);
        underReported += tooSmall ? 1 : 0;
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
        Spread spread = differences.spread();
        return new SourceReport(
                source,
                spread.count() + unknown + notJudged,
                spread.count(),
                underReported,
                unknown,
                notJudged,
                unanswered,
                spread);
    }
}
