package dev.tidemark.worker.clocks;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

import dev.tidemark.runtime.GaugeValue;

/**
 * Estimates the writer's clock from its answers and from the writer's times in the data.
 *
 * <p>An answer bounds the difference by its round trip: the writer read its clock after the request was sent and before
 * the answer was received. The estimate uses the upper bound, so that no age is too small; the least of the recent
 * upper bounds is the best. A time in the data that is later than this bound proves that the writer restarted with
 * another clock after its last answer. The difference is then at most that time minus the time at which the last
 * answered request was sent. The next answer replaces this bound.
 *
 * <p>Records can be forged, so a time in the data moves the estimate by a second at most. A record with a later time
 * proves nothing: it is refused, and the agent queries the writer at once. If the writer's clock really was set ahead,
 * its next records are accepted after its answer.
 *
 * <p>Before the first answer the clock is unknown. After {@code FIRST_ANSWER} of requests without an answer, the
 * clocks are assumed to be equal, unless a time from the future disproves it. A small difference is then corrected;
 * with a large one the clock stays unknown. Time in which this process did not run, and so sent no requests, does not
 * count as silence of the writer.
 *
 * <p>For any thread. Changes hold the lock for a few instructions; reading takes none.
 */
public final class WriterClockEstimator implements WriterClock {
    /** Clocks of machines drift apart by less than the elapsed time divided by this. */
    private static final long DRIFT = 2_000;

    private static final int KEPT = 8;

    /** Without an answer, a difference proven to be larger than this makes ages unknown. */
    private static final Duration MOST_UNASKED = Duration.ofSeconds(1);

    /** A time in the data is refused when it is later than the known bound by more than this. */
    private static final Duration LEEWAY = Duration.ofSeconds(1);

    /** After requests without an answer for this time since the start, the estimate no longer waits for the writer. */
    private static final Duration FIRST_ANSWER = Duration.ofSeconds(10);

    /** A request without an answer takes less than this, and the next one follows; any longer gap is not silence. */
    private static final Duration LONGEST_QUESTION = Duration.ofSeconds(3);

    private final Deque<ClockReading> readings = new ArrayDeque<>();
    private volatile Known known = new Known(null, null, null);
    private volatile Duration askedInVain = Duration.ZERO;
    private volatile boolean doubted;
    private volatile @Nullable CommitBound bound;
    private Instant lastAsked;

    /**
     * The known bounds.
     *
     * @param best the answer with the least upper bound
     * @param latest the latest answer
     * @param proven an upper bound of how far the writer's clock is ahead, from a time in the future received since;
     *     null without one
     */
    private record Known(
            @Nullable ClockReading best,
            @Nullable ClockReading latest,
            @Nullable Duration proven) {
        Duration answeredAtMost(Instant local) {
            return best == null ? Duration.ZERO : withDrift(best, local);
        }

        Duration aheadAtMost(Instant local) {
            Duration asked = answeredAtMost(local);
            return proven == null || asked.compareTo(proven) > 0 ? asked : proven;
        }
    }

    /** Nothing known yet, as of the start of this process by its own clock. */
    public WriterClockEstimator(Instant started) {
        this.lastAsked = started;
    }

    @Override
    public Instant at(Instant local) {
        return local.plus(known.aheadAtMost(local));
    }

    @Override
    public boolean isKnown() {
        Known now = known;
        if (now.latest() != null) {
            return true;
        }
        boolean far = now.proven() != null && now.proven().compareTo(MOST_UNASKED) > 0;
        return !far && askedInVain.compareTo(FIRST_ANSWER) >= 0;
    }

    @Override
    public void seen(Instant writer, Instant local) {
        if (writer.isAfter(at(local))) {
            prove(writer, local);
        }
    }

    @Override
    public Instant latest(Instant local) {
        // Without what such times proved, or each could move the bound for the next.
        return local.plus(known.answeredAtMost(local)).plus(LEEWAY);
    }

    @Override
    public Optional<CommitBound> bound() {
        return Optional.ofNullable(bound);
    }

    @Override
    public void doubt() {
        doubted = true;
    }

    /** Whether a time from the future has come since the last answer, so that another answer is wanted soon. */
    public boolean isInDoubt() {
        return doubted || known.proven() != null;
    }

    /** Records that a request was not answered just now. */
    public synchronized void unanswered(Instant local) {
        Duration since = Duration.between(lastAsked, local);
        askedInVain = askedInVain.plus(since.compareTo(LONGEST_QUESTION) < 0 ? since : LONGEST_QUESTION);
        lastAsked = local;
    }

    /**
     * Records an answer. The clock of another process may be behind, as when the fact tables went back, or when a
     * writer answers that has been replaced and does not know it yet. An answer that makes ages smaller counts only
     * where that process knew after the last answer that no other one writes, and so says which epoch it is in.
     */
    public synchronized void answered(ClockReading reading) {
        ClockReading latest = readings.peekLast();
        if (latest != null && !latest.process().equals(reading.process())) {
            boolean isAlone = reading.bound()
                    .filter(given -> !given.until().isBefore(latest.sent()))
                    .isPresent();
            if (isBehind(reading) && !isAlone) {
                unanswered(reading.received());
                return;
            }
            readings.clear();
        }
        // The writer's clock has moved on by itself since an answer that leaves no room for this one.
        readings.removeIf(old -> withDrift(old, reading.received()).compareTo(reading.aheadAtLeast()) < 0);
        readings.addLast(reading);
        if (readings.size() > KEPT) {
            readings.removeFirst();
        }
        Instant now = reading.received();
        doubted = false;
        reading.bound().ifPresent(said -> bound = said);
        known = new Known(
                readings.stream()
                        .min(Comparator.comparing(each -> withDrift(each, now)))
                        .orElse(reading),
                reading,
                null);
    }

    @Override
    public Optional<Duration> skew() {
        Known now = known;
        ClockReading best = now.best();
        if (now.proven() != null || best == null) {
            return Optional.ofNullable(now.proven());
        }
        return Optional.of(best.aheadAtLeast().plus(best.aheadAtMost()).dividedBy(2));
    }

    /** What is known of the writer's clock, as metrics. */
    public List<GaugeValue> readings() {
        return List.of(new GaugeValue(
                "clock.skew.seconds",
                "The writer's commit clock minus this worker's clock; NaN until it is known.",
                () -> skew().map(skew -> skew.toNanos() / 1e9).orElse(Double.NaN)));
    }

    private boolean isBehind(ClockReading reading) {
        return reading.aheadAtMost().compareTo(known.answeredAtMost(reading.received())) < 0;
    }

    private synchronized void prove(Instant writer, Instant local) {
        Known now = known;
        if (writer.isAfter(local.plus(now.aheadAtMost(local)))) {
            ClockReading latest = now.latest();
            Instant earliest = latest == null ? local : latest.sent();
            known = new Known(now.best(), latest, Duration.between(earliest, writer));
        }
    }

    private static Duration withDrift(ClockReading reading, Instant local) {
        return reading.aheadAtMost()
                .plus(Duration.between(reading.sent(), local).abs().dividedBy(DRIFT));
    }
}
