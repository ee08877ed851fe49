package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
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
    private final List<ProbeReport.UnderReport> lies = new ArrayList<>();
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
    void judge(Source source, double said, Instant at, Optional<CanaryLedger.Canary> missing) {
        double truth = missing.map(canary -> seconds(Duration.between(canary.acknowledged(), at)))
                .orElse(0.0);
        worstTruth = Math.max(worstTruth, truth);
        Tally tally = of(source);
        tally.differences.add(said - truth);
        if (said - truth < -seconds(tally.allowance)) {
            tally.underReported++;
            missing.filter(canary -> tally.underReported <= MAX_LIES_OF_A_SOURCE)
                    .ifPresent(canary -> lies.add(
                            new ProbeReport.UnderReport(source, Duration.between(start, at), said, truth, canary)));
        }
    }

    List<ProbeReport.SourceReport> sources() {
        List<ProbeReport.SourceReport> reports = new ArrayList<>();
        tallies.forEach((source, tally) -> {
            Distribution.DistributionSummary spread = tally.differences.spread();
            reports.add(new ProbeReport.SourceReport(
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

    List<ProbeReport.UnderReport> lies() {
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

    /**
     * Judges {@code completeUpTo} of answers. It is a time of the writer's commit clock, so it is held against what
     * that clock shows: as soon as the clock was read after the answer, and only if it is known what it showed then.
     *
     * <p>While one writer runs, its clock and the prober's differ by a constant, and each reading bounds it by the time
     * that the answer took. A reading that does not fit begins another span: the writer was started again, on a clock
     * that is set otherwise. The commit clock never runs back, so a commit time belongs to one span, or to none if
     * there was no reading at that time.
     */
    static final class WatermarkJudge {
        private static final int MAX_PENDING = 10_000;

        /** Readings are so exact; more is another span. */
        private static final Duration ROUNDING = Duration.ofMillis(1);

        private static final int MAX_SPANS = 1_000;

        private final Verdicts verdicts;
        private final List<Span> spans = new ArrayList<>();
        private final Deque<Waiting> waiting = new ArrayDeque<>();

        /** An answer that waits for the clock. */
        private record Waiting(Instant answered, Instant completeUpTo, Optional<CanaryLedger.Canary> missing) {}

        /**
         * A time in which the difference was one constant.
         *
         * @param from the first reading
         * @param to the last reading
         * @param least how much the commit clock is ahead, at least
         * @param most how much the commit clock is ahead, at most
         */
        private record Span(Instant from, Instant to, Duration least, Duration most) {}

        WatermarkJudge(Verdicts verdicts) {
            this.verdicts = verdicts;
        }

        /**
         * An answer said up to when it is complete.
         *
         * @param missing the oldest change acknowledged before the answer that is not in it
         */
        void answered(Instant answered, Instant completeUpTo, Optional<CanaryLedger.Canary> missing) {
            if (waiting.size() == MAX_PENDING) {
                waiting.removeFirst();
                verdicts.notJudged(Source.COMPLETE_UP_TO);
            }
            waiting.addLast(new Waiting(answered, completeUpTo, missing));
        }

        /** The writer said what its commit clock shows; readings come in order. */
        void clockRead(Instant asked, Instant answered, Instant said) {
            note(
                    said,
                    Duration.between(answered, said).minus(ROUNDING),
                    Duration.between(asked, said).plus(ROUNDING));
            // A commit time that was known before the reading is in a span now, or never will be.
            while (!waiting.isEmpty() && !asked.isBefore(waiting.getFirst().answered())) {
                judge(waiting.removeFirst());
            }
        }

        /** The clock will not be read any more. */
        void finish() {
            waiting.forEach(answer -> verdicts.notJudged(Source.COMPLETE_UP_TO));
            waiting.clear();
        }

        private void note(Instant said, Duration least, Duration most) {
            if (!spans.isEmpty()) {
                Span last = spans.get(spans.size() - 1);
                Duration atLeast = least.compareTo(last.least()) > 0 ? least : last.least();
                Duration atMost = most.compareTo(last.most()) < 0 ? most : last.most();
                if (atLeast.compareTo(atMost) <= 0 && !said.isBefore(last.to())) {
                    spans.set(spans.size() - 1, new Span(last.from(), said, atLeast, atMost));
                    return;
                }
            }
            if (spans.size() == MAX_SPANS) {
                spans.remove(0);
            }
            spans.add(new Span(said, said, least, most));
        }

        private void judge(Waiting answer) {
            Optional<Instant> earliest = earliest(answer.completeUpTo());
            if (earliest.isPresent()) {
                double age = Verdicts.seconds(Duration.between(earliest.get(), answer.answered()));
                verdicts.judge(Source.COMPLETE_UP_TO, age, answer.answered(), answer.missing());
            } else {
                verdicts.notJudged(Source.COMPLETE_UP_TO);
            }
        }

        /**
         * The earliest moment, by the prober's clock, at which the commit clock showed that time; empty where unknown.
         */
        private Optional<Instant> earliest(Instant commitTime) {
            return spans.stream()
                    .filter(span -> !commitTime.isBefore(span.from()) && !commitTime.isAfter(span.to()))
                    .reduce((first, second) -> second)
                    .map(span -> commitTime.minus(span.most()));
        }
    }
}
