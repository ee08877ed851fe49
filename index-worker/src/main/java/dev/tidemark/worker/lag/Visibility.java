package dev.tidemark.worker.lag;

import java.time.Clock;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

import dev.tidemark.worker.apply.Counts;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.store.ShardId;

/**
 * How long changes take from commit to being found, by table: all indexes of a table see a change in the same moment. For
 * any thread.
 */
public final class Visibility implements ShardApplier.Listener {
    private final Map<String, RecentTimes> byTable = new ConcurrentHashMap<>();
    private final Clock clock;

    public Visibility(Clock clock) {
        this.clock = clock;
    }

    @Override
    public void applied(ShardId shard, Counts counts) {
        // Only times are of interest here.
    }

    @Override
    public void visible(ShardId shard, Duration sinceCommit) {
        byTable.computeIfAbsent(shard.table(), table -> new RecentTimes()).add(sinceCommit, clock.instant());
    }

    /** The times of the last minute or two. */
    public RecentTimes.Summary of(String table) {
        return Optional.ofNullable(byTable.get(table))
                .map(times -> times.summary(clock.instant()))
                .orElse(RecentTimes.Summary.NONE);
    }
}
