package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What the writer's commit clock shows, beside the prober's own clock.
 *
 * <p>While one writer runs, the two differ by a constant, and each reading bounds it by the time that the answer took.
 * A reading that does not fit begins another span: the writer was started again, on a clock that is set otherwise. The
 * commit clock itself never runs back, so a commit time belongs to one span, or to none if there was no reading at that
 * time.
 */
final class ProbedCommitClock {
    /** Readings are so exact; more is another span. */
    private static final Duration ROUNDING = Duration.ofMillis(1);

    private static final int MAX_SPANS = 1_000;

    private final List<Span> spans = new ArrayList<>();
    private Instant read = Instant.MIN;

    /**
     * A time in which the difference was one constant.
     *
     * @param from the first reading
     * @param to the last reading
     * @param least how much the commit clock is ahead, at least
     * @param most how much the commit clock is ahead, at most
     */
    private record Span(Instant from, Instant to, Duration least, Duration most) {
        boolean has(Instant commitTime) {
            return !commitTime.isBefore(from) && !commitTime.isAfter(to);
        }
    }

    /** The writer said what its clock shows; readings come in order. */
    void read(Instant asked, Instant answered, Instant said) {
        Duration least = Duration.between(answered, said).minus(ROUNDING);
        Duration most = Duration.between(asked, said).plus(ROUNDING);
        read = asked;
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

    /** Whether it has been read since a moment: a commit time known then is in a span now, or never will be. */
    boolean isReadSince(Instant moment) {
        return !read.isBefore(moment);
    }

    /** The earliest moment, by the prober's clock, at which the commit clock showed that time; empty where unknown. */
    Optional<Instant> earliest(Instant commitTime) {
        return spans.stream()
                .filter(span -> span.has(commitTime))
                .reduce((first, second) -> second)
                .map(span -> commitTime.minus(span.most()));
    }
}
