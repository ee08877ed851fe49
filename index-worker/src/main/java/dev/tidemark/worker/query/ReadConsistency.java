package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;

import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;

/**
 * How recent an answer must be.
 *
 * @param versions by partition, what must be in it; from a token
 * @param seen by partition, what the pages before held, so that an answer from another copy does not go back in time
 * @param maxStaleness how old it may be; empty for any age
 * @param patience how long to wait for that
 */
public record ReadConsistency(
        Map<Integer, RowVersion> versions,
        Map<Integer, RowVersion> seen,
        Optional<Duration> maxStaleness,
        Duration patience) {
    /** How long to wait when nothing is said. */
    public static final Duration USUAL_WAIT = Duration.ofSeconds(2);

    /** Any answer will do. */
    public static final ReadConsistency NONE = new ReadConsistency(Map.of(), Map.of(), Optional.empty(), USUAL_WAIT);

    public ReadConsistency {
        versions = Map.copyOf(versions);
        seen = Map.copyOf(seen);
    }

    /** What of it is about some partitions, with another patience. */
    ReadConsistency part(Set<Integer> partitions, Duration less) {
        return new ReadConsistency(of(versions, partitions), of(seen, partitions), maxStaleness, less);
    }

    private static Map<Integer, RowVersion> of(Map<Integer, RowVersion> all, Set<Integer> partitions) {
        Map<Integer, RowVersion> some = new HashMap<>(all);
        some.keySet().retainAll(partitions);
        return some;
    }

    /** What the pages held up to one of these versions, which may lack partitions that a page before it had. */
    SortedMap<Integer, RowVersion> seenAfter(SortedMap<Integer, RowVersion> through) {
        SortedMap<Integer, RowVersion> held = new TreeMap<>(seen);
        through.forEach((partition, version) ->
                held.merge(partition, version, (before, now) -> now.isAfter(before) ? now : before));
        return held;
    }

    /** Whether there is anything to wait for. */
    public boolean isDemanding() {
        return !versions.isEmpty() || !seen.isEmpty() || maxStaleness.isPresent();
    }

    /**
     * What is lacking.
     *
     * @param lags by partition; a partition that is not here has nothing that a token requires
     */
    Optional<String> shortfall(Map<Integer, ShardLag> lags) {
        if (!isDemanding()) {
            return Optional.empty();
        }
        for (Map.Entry<Integer, RowVersion> wanted : versions.entrySet()) {
            Progress progress = progress(lags, wanted.getKey());
            if (!progress.covers(wanted.getValue())) {
                return Optional.of("the index does not hold everything that the token asks for yet: partition "
                        + wanted.getKey() + " is complete up to version " + progress.through() + ", the token asks for "
                        + wanted.getValue());
            }
        }
        for (Map.Entry<Integer, RowVersion> before : seen.entrySet()) {
            // A partition that is not here shows nothing that could be older.
            if (lags.containsKey(before.getKey())
                    && !progress(lags, before.getKey()).covers(before.getValue())) {
                return Optional.of(
                        "the page before held more than the index holds here yet: partition " + before.getKey()
                                + " is complete up to version "
                                + progress(lags, before.getKey()).through() + ", the page was up to "
                                + before.getValue());
            }
        }
        return tooStale(LagMeter.freshness(List.copyOf(lags.values())));
    }

    /** Why something of that staleness is too stale; empty where it is not. */
    Optional<String> tooStale(Optional<Duration> staleness) {
        return maxStaleness.flatMap(most -> tooStale(most, staleness));
    }

    /**
     * Checks that nothing is required of an epoch that may be lost.
     *
     * @param lags as for {@link #shortfall}
     */
    void requireSameEpoch(Map<Integer, ShardLag> lags) throws LostTokenException {
        for (Map.Entry<Integer, RowVersion> wanted : versions.entrySet()) {
            RowVersion through = progress(lags, wanted.getKey()).through();
            if (wanted.getValue().epoch() < through.epoch()) {
                throw new LostTokenException(wanted.getValue(), through);
            }
        }
    }

    private static Progress progress(Map<Integer, ShardLag> lags, int partition) {
        return Optional.ofNullable(lags.get(partition))
                .flatMap(ShardLag::status)
                .map(status -> status.checkpoint().progress())
                .orElse(Progress.UNKNOWN);
    }

    private static Optional<String> tooStale(Duration most, Optional<Duration> actual) {
        if (actual.filter(age -> age.compareTo(most) <= 0).isPresent()) {
            return Optional.empty();
        }
        return Optional.of("an answer would be staler than max_staleness of " + most.toMillis() + " ms: "
                + actual.map(age -> "it is " + age.plusNanos(999_999).toMillis() + " ms behind")
                        .orElse("how far it is behind is not known"));
    }
}
