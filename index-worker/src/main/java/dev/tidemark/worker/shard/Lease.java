package dev.tidemark.worker.shard;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

import org.jspecify.annotations.Nullable;

/**
 * Decides whether this process may answer for the partitions that were assigned to it. While the process does not run
 * (stopped, a long garbage collection, a suspended machine), the group may reassign them without its knowledge. If the
 * last answer of the group is older than the lease after such a pause, the process refuses. It answers again once the
 * group has confirmed the assignment.
 *
 * <p>A process that runs and does not reach the brokers continues to answer. It cannot distinguish an outage of the
 * brokers, in which no partition is reassigned, from the loss of this process's connection. Its answers grow staler,
 * and they report their staleness.
 *
 * <p>The poll thread calls {@link #beat} at each step and {@link #confirmed} when the group answers; {@link #refusal}
 * is for any thread. Every method holds the lock for a few instructions.
 */
public final class Lease {
    /** Shorter than this part of the lease, a step of the poll thread is just a step. */
    private static final int PAUSE = 4;

    private final Duration length;
    private final Clock clock;
    private Instant lastBeat;
    private Instant lastWord;
    private @Nullable Instant doubtedSince;
    private @Nullable Instant lostSince;

    /**
     * A lease that begins now.
     *
     * @param length how old the last word of the group may be after a pause; at most the group's session timeout, after
     *     which it gives the partitions of a silent member to others
     */
    public Lease(Duration length, Clock clock) {
        this.length = length;
        this.clock = clock;
        this.lastBeat = clock.instant();
        this.lastWord = lastBeat;
    }

    /** How old the last word of the group may be. */
    public Duration length() {
        return length;
    }

    /**
     * The group has struck this process off, so it was reached and the partitions may be another one's. What was said
     * last holds until the lease is over.
     */
    public synchronized void lost() {
        lostSince = clock.instant();
    }

    /** The process runs. */
    public synchronized void beat() {
        Instant now = clock.instant();
        if (ranOut(now)) {
            doubtedSince = now;
        }
        lastBeat = now;
    }

    /**
     * The group has confirmed that the partitions are this process's.
     *
     * @param asked when it was asked; an answer to an older question that was under way during a pause proves nothing
     */
    public synchronized void confirmed(Instant asked) {
        Instant doubted = doubtedSince;
        if (doubted == null || !asked.isBefore(doubted)) {
            doubtedSince = null;
            lastWord = asked.isAfter(lastWord) ? asked : lastWord;
        }
        if (lostSince != null && !asked.isBefore(lostSince)) {
            lostSince = null;
        }
    }

    /** Why this process must not speak now; empty when it may. */
    public synchronized Optional<String> refusal() {
        Instant now = clock.instant();
        if (lostSince != null && Duration.between(lastWord, now).compareTo(length) > 0) {
            return Optional.of(
                    "the consumer group has struck this worker off, so its partitions may be another worker's by"
                            + " now; it answers again once the group has confirmed them");
        }
        if (doubtedSince == null && !ranOut(now)) {
            return Optional.empty();
        }
        return Optional.of(
                "this worker did not run for longer than its lease of " + length.toMillis()
                        + " ms, so its partitions may be another worker's by now; it answers again once the group has confirmed them");
    }

    private boolean ranOut(Instant now) {
        Duration pause = Duration.between(lastBeat, now);
        boolean cutOffBefore = Duration.between(lastWord, lastBeat).compareTo(length) > 0;
        boolean old = Duration.between(lastWord, now).compareTo(length) > 0;
        return pause.compareTo(length) > 0 || (old && !cutOffBefore && pause.compareTo(length.dividedBy(PAUSE)) > 0);
    }
}
