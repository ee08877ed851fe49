package dev.tidemark.writer.leader;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import dev.tidemark.writer.outbox.Leadership;

/**
 * Whether this process is the writer of its deployment. Written by {@link LeaderAgent} and by a thread that
 * notices standstill, read by any thread.
 */
public final class LeaderState implements Leadership {
    private static final String NOT_ASKED = "it is not known yet whether another writer of this deployment is at work";

    private static final int HEARTBEATS_MISSED = 6;
    private static final Duration LEAST_SILENCE = Duration.ofSeconds(3);
    private static final String STOOD_STILL =
            "this process stood still, and it is not known yet whether another writer has taken over meanwhile";

    private final Duration silence;
    private final Clock clock;
    private volatile Instant ranAt;
    private volatile Instant stoodStillUntil = Instant.MIN;
    private volatile Instant lookedAt = Instant.MIN;
    private volatile Instant confirmedAt = Instant.MIN;
    private volatile Optional<String> waitsFor = Optional.of(NOT_ASKED);
    private volatile Optional<String> replacedBy = Optional.empty();
    private volatile long leastEpoch;

    /**
     * Nothing is known yet.
     *
     * @param heartbeatInterval how often a writer publishes when it has nothing to publish
     */
    public LeaderState(Duration heartbeatInterval, Clock clock) {
        Duration missed = heartbeatInterval.multipliedBy(HEARTBEATS_MISSED);
        this.silence = missed.compareTo(LEAST_SILENCE) > 0 ? missed : LEAST_SILENCE;
        this.clock = clock;
        this.ranAt = clock.instant();
    }

    /** A writer that publishes nothing for this time counts as gone. */
    Duration silence() {
        return silence;
    }

    @Override
    public boolean isHeld() {
        return waitsFor.isEmpty() && replacedBy.isEmpty();
    }

    @Override
    public long leastEpoch() {
        return leastEpoch;
    }

    /**
     * Why this process takes no writes; empty when it may. One that stood still takes none before it has looked again.
     */
    public Optional<String> refusal() {
        return replacedBy.or(() -> waitsFor).or(this::standstill);
    }

    private Optional<String> standstill() {
        boolean seen = lookedAt.isBefore(stoodStillUntil);
        return seen || standsStill(clock.instant()) ? Optional.of(STOOD_STILL) : Optional.empty();
    }

    private boolean standsStill(Instant now) {
        return now.isAfter(ranAt.plus(silence));
    }

    /** Why this process has to end: another one has taken over; empty while none has. */
    public Optional<String> replaced() {
        return replacedBy;
    }

    /**
     * The process runs now. A thread that waits for nothing else calls this several times within the silence, so that a
     * process that was suspended is noticed, and a log that answers slowly is no standstill.
     */
    public void runs() {
        Instant now = clock.instant();
        if (standsStill(now)) {
            stoodStillUntil = now;
        }
        ranAt = now;
    }

    /**
     * Records that a look has ended, successfully or not: while the log is unavailable, no writer can take over.
     *
     * @param at when the look began
     */
    void looked(Instant at) {
        lookedAt = at;
    }

    /**
     * Records that the last claim was that of this process.
     *
     * @param at when the look that found it began
     */
    void confirmed(Instant at) {
        confirmedAt = at;
    }

    /**
     * For how long it is not known whether this process is still the one that publishes; empty while it is not. A
     * process that was suspended or cut off does not know that another one has taken over.
     */
    public Optional<Duration> unconfirmedFor() {
        return Optional.of(Duration.between(confirmedAt, clock.instant())).filter(known -> isHeld());
    }

    void waitFor(String reason) {
        waitsFor = Optional.of(reason);
    }

    /**
     * This process holds the last claim.
     *
     * @param least the first epoch in which it may give versions; 0 for any
     */
    void lead(long least) {
        leastEpoch = least;
        waitsFor = Optional.empty();
    }

    void stop(String reason) {
        replacedBy = Optional.of(reason);
    }
}
