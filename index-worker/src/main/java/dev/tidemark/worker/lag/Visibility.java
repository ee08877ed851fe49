package dev.tidemark.worker.lag;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

import dev.tidemark.runtime.DurationCounts;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.store.ShardId;

/**
 * How long changes take from commit to being found, and in which stage of the way, by table: all indexes of a table see
 * a change in the same moment. For any thread.
 */
public final class Visibility implements ShardApplier.Listener {
    private final Map<String, TableTimes> byTable = new ConcurrentHashMap<>();
    private final Clock clock;

    /** The times of one table. */
    private record TableTimes(RecentDurations whole, Map<Stage, RecentDurations> stages, RecentDurations source) {
        static TableTimes none() {
            Map<Stage, RecentDurations> stages = new EnumMap<>(Stage.class);
            for (Stage stage : Stage.values()) {
                stages.put(stage, new RecentDurations());
            }
            return new TableTimes(new RecentDurations(), stages, new RecentDurations());
        }

        void add(StageLatencies latencies, Instant now) {
            whole.add(latencies.totals(), now);
            stages.forEach((stage, times) -> times.add(latencies.in(stage), now));
        }
    }

    public Visibility(Clock clock) {
        this.clock = clock;
    }

    /** Forgets the tables that are not among these: each generation of a global index has another one. */
    public void retain(Collection<String> tables) {
        byTable.keySet().retainAll(Set.copyOf(tables));
    }

    @Override
    public void visible(ShardId shard, StageLatencies latencies) {
        byTable.computeIfAbsent(shard.table(), table -> TableTimes.none()).add(latencies, clock.instant());
    }

    @Override
    public void sourceAge(ShardId shard, Duration age) {
        DurationCounts one = new DurationCounts(1);
        one.add(Math.max(0, TimeUnit.NANOSECONDS.convert(age)), 1);
        byTable.computeIfAbsent(shard.table(), table -> TableTimes.none())
                .source()
                .add(one, clock.instant());
    }

    /** How much older the watermark of a table's source was than heartbeats, in the last minute or two. */
    public RecentDurations.Summary ofSource(String table) {
        return summary(Optional.ofNullable(byTable.get(table)).map(TableTimes::source));
    }

    /** The times of the last minute or two. */
    public RecentDurations.Summary of(String table) {
        return summary(Optional.ofNullable(byTable.get(table)).map(TableTimes::whole));
    }

    /** The times in one stage, of the same changes. */
    public RecentDurations.Summary of(String table, Stage stage) {
        return summary(Optional.ofNullable(byTable.get(table))
                .map(times -> times.stages().get(stage)));
    }

    private RecentDurations.Summary summary(Optional<RecentDurations> times) {
        return times.map(some -> some.summary(clock.instant())).orElse(RecentDurations.Summary.NONE);
    }
}
