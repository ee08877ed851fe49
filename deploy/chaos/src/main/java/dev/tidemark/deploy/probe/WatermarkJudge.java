package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Judges {@code completeUpTo} of answers. It is a time of the writer's commit clock, so it is held against what that
 * clock shows: as soon as the clock was read after the answer, and only if it is known what it showed then.
 */
final class WatermarkJudge {
    private static final int MAX_PENDING = 10_000;

    private final Verdicts verdicts;
    private final ProbedCommitClock clock = new ProbedCommitClock();
    private final Deque<Waiting> waiting = new ArrayDeque<>();

    /** An answer that waits for the clock. */
    private record Waiting(Instant answered, Instant completeUpTo, Optional<Canary> missing) {}

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
            verdicts.of(Source.COMPLETE_UP_TO).notJudged();
        }
        waiting.addLast(new Waiting(answered, completeUpTo, missing));
    }

    /** The writer said what its commit clock shows. */
    void clockRead(Instant asked, Instant answered, Instant said) {
        clock.read(asked, answered, said);
        while (!waiting.isEmpty() && clock.isReadSince(waiting.getFirst().answered())) {
            judge(waiting.removeFirst());
        }
    }

    /** The clock will not be read any more. */
    void finish() {
        waiting.forEach(answer -> verdicts.of(Source.COMPLETE_UP_TO).notJudged());
        waiting.clear();
    }

    private void judge(Waiting answer) {
        Optional<Instant> earliest = clock.earliest(answer.completeUpTo());
        if (earliest.isPresent()) {
            double age = Verdicts.seconds(Duration.between(earliest.get(), answer.answered()));
            verdicts.judge(Source.COMPLETE_UP_TO, age, answer.answered(), answer.missing());
        } else {
            verdicts.of(Source.COMPLETE_UP_TO).notJudged();
        }
    }
}
