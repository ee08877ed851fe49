package dev.tidemark.worker.lag;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

import dev.tidemark.catalog.Generation;
import dev.tidemark.worker.apply.ShardStatus;

/**
 * How far behind one shard is, at one moment.
 *
 * @param status status of the shard; empty while it was never open
 * @param failure why it does not work, or its partition is not read; empty when all is well
 * @param recordsBehind number of records published and not applied; empty when it is unknown
 * @param now the moment, by the writer's clock; {@link Instant#MAX} when it is unknown
 * @param paused whether an operator has stopped it from applying changes
 */
public record ShardLag(
        Optional<ShardStatus> status,
        Optional<String> failure,
        OptionalLong recordsBehind,
        Instant now,
        boolean paused) {
    /**
     * A watermark of at most this age says that nothing is known to wait: one heartbeat and its way. A change that
     * waits to be published is unknown here for that long, so this is also how much the age of the oldest one can hide.
     */
    public static final Duration CAUGHT_UP = Duration.ofMillis(300);

    /** A watermark younger than this is not late: heartbeats come several times a second. */
    private static final Duration FRESH = Duration.ofSeconds(1);

    /** The watermark: every change committed at or before it can be found; empty while nothing is known. */
    public Optional<Instant> completeUpTo() {
        return status.flatMap(known -> known.checkpoint().progress().watermark());
    }

    /** Time since the watermark, an upper bound on how stale an answer can be; empty while nothing is known. */
    public Optional<Duration> freshness() {
        return completeUpTo().flatMap(watermark -> age(watermark, now));
    }

    /** Time since a watermark, at least zero; empty where the time now is {@link Instant#MAX}, which is unknown. */
    static Optional<Duration> age(Instant watermark, Instant now) {
        if (now.equals(Instant.MAX)) {
            return Optional.empty();
        }
        Duration age = Duration.between(watermark, now);
        return Optional.of(age.isNegative() ? Duration.ZERO : age);
    }

    /**
     * An upper bound on the age of the oldest change that is not applied: zero only when nothing is behind and the
     * watermark is at most {@link #CAUGHT_UP} old; empty while nothing is known.
     */
    public Optional<Duration> oldestUnapplied() {
        return freshness()
                .map(age -> !isBehind() && recordsBehind.isPresent() && age.compareTo(CAUGHT_UP) <= 0
                        ? Duration.ZERO
                        : age);
    }

    /** Whether a generation may answer from the shard. */
    boolean serves(Generation generation) {
        return status.filter(known -> known.checkpoint().serves(generation.id()))
                .isPresent();
    }

    /** Whether records are known to wait. */
    boolean isBehind() {
        return recordsBehind.orElse(0) > 0;
    }

    /** Whether answers are older than usual, and what they lack is known to wait or is being read again. */
    boolean isLate() {
        return isRestoring()
                || (isBehind() && freshness().filter(ShardLag::isFresh).isEmpty());
    }

    boolean isRestoring() {
        return status.map(ShardStatus::restoring).orElse(true);
    }

    long quarantined() {
        return status.map(known -> known.checkpoint().quarantined()).orElse(0L);
    }

    static boolean isFresh(Duration age) {
        return age.compareTo(FRESH) <= 0;
    }
}
