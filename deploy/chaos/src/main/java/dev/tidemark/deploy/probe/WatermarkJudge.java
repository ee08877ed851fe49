package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * Judges {@code completeUpTo} of answers. It is a time of the writer's commit clock, so it is held against what that
 * clock shows: as soon as the clock was read after the answer, and only if it is known what it showed then.
 *
 * <p>While one writer runs, its clock and the prober's differ by a constant, and each reading bounds it by the time
 * that the answer took. A reading that does not fit begins another span: the writer was started again, on a clock that
 * is set otherwise. The commit clock never runs back, so a commit time belongs to one span, or to none if there
 * was no reading at that time.
 */
final class WatermarkJudge {
    private static final int MAX_PENDING = 10_000;

    /** Readings are so exact; more is another span. */
    private static final Duration ROUNDING = Duration.ofMillis(1);

    private static final int MAX_SPANS = 1_000;

    private final Verdicts verdicts;
    private final List<Span> spans = new ArrayList<>();
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** An answer that waits for the clock. */
    private record Waiting(Instant answered, Instant completeUpTo, Optional<Canary> missing) {}

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
    void answered(Instant answered, Instant completeUpTo, Optional<Canary> missing) {
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

    /** The earliest moment, by the prober's clock, at which the commit clock showed that time; empty where unknown. */
    private Optional<Instant> earliest(Instant commitTime) {
        return spans.stream()
                .filter(span -> !commitTime.isBefore(span.from()) && !commitTime.isAfter(span.to()))
                .reduce((first, second) -> second)
                .map(span -> commitTime.minus(span.most()));
    }
}
