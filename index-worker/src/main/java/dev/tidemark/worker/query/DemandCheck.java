package dev.tidemark.worker.query;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.progress.Progress;
import dev.tidemark.row.RowVersion;
import dev.tidemark.worker.lag.LagMeter;
import dev.tidemark.worker.lag.ShardLag;

/** Whether shards are as far as a demand wants them. */
record DemandCheck(Demand demand) {
    /** Whether the demand is met by the shards that are here; one that is not here meets nothing. */
    boolean isMet(List<ShardLag> lags, TableDefinition table) {
        boolean demanding =
                !demand.versions().isEmpty() || demand.maxStaleness().isPresent();
        return !demanding
                || (lags.size() == table.partitions() && shortfall(lags).isEmpty());
    }

    /**
     * What is lacking.
     *
     * @param lags of all partitions, in their order
     */
    Optional<String> shortfall(List<ShardLag> lags) {
        for (Map.Entry<Integer, RowVersion> wanted : demand.versions().entrySet()) {
            Progress progress = lags.get(wanted.getKey())
                    .status()
                    .map(status -> status.checkpoint().progress())
                    .orElse(Progress.UNKNOWN);
            if (!progress.covers(wanted.getValue())) {
                return Optional.of("the index does not hold everything that the token asks for yet: partition "
                        + wanted.getKey() + " is complete up to version " + progress.through() + ", the token asks for "
                        + wanted.getValue());
            }
        }
        return demand.maxStaleness().flatMap(most -> tooStale(most, LagMeter.freshness(lags)));
    }

    private static Optional<String> tooStale(Duration most, Optional<Duration> actual) {
        if (actual.filter(age -> age.compareTo(most) <= 0).isPresent()) {
            return Optional.empty();
        }
        return Optional.of("an answer would be staler than max_staleness of " + most.toMillis() + " ms: "
                + actual.map(age -> "it is " + age.toMillis() + " ms behind")
                        .orElse("how far it is behind is not known"));
    }
}
