package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;

/** Whether shards are as far as a demand wants them. */
record ConsistencyCheck(ReadConsistency demand) {
    /** Whether there is anything to wait for. */
    boolean isDemanding() {
        return !demand.versions().isEmpty() || demand.maxStaleness().isPresent();
    }

    /**
     * What is lacking.
     *
     * @param lags by partition; one that is not here has nothing that a token asks for
     */
    Optional<String> shortfall(Map<Integer, ShardLag> lags) {
        for (Map.Entry<Integer, RowVersion> wanted : demand.versions().entrySet()) {
            Progress progress = progress(lags, wanted.getKey());
            if (!progress.covers(wanted.getValue())) {
                return Optional.of("the index does not hold everything that the token asks for yet: partition "
                        + wanted.getKey() + " is complete up to version " + progress.through() + ", the token asks for "
                        + wanted.getValue());
            }
        }
        return demand.maxStaleness().flatMap(most -> tooStale(most, LagMeter.freshness(List.copyOf(lags.values()))));
    }

    /**
     * Sees to it that nothing is asked for from a time that may be lost.
     *
     * @param lags as for {@link #shortfall}
     */
    void requireSameEpoch(Map<Integer, ShardLag> lags) throws LostTokenException {
        for (Map.Entry<Integer, RowVersion> wanted : demand.versions().entrySet()) {
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
