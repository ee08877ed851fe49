package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

import dev.tidemark.runtime.Durations;
import dev.tidemark.worker.apply.Counts;
import dev.tidemark.worker.apply.Passages;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.store.ShardId;

/**
 * Measures what applying one change takes, by table, from the time that whole batches take. Only large batches count: in a
 * small one most of the time is that of the commit itself, and nothing is learnt of what a change adds. For any thread.
 */
public final class CostMeter implements ShardApplier.Listener {
    /** Changes in the smallest batch that counts. */
    static final int LARGE = 100;

    /** Fewer changes than this are no measurement. */
    private static final long ENOUGH = 1_000;

    private final Map<String, Counters> byTable = new ConcurrentHashMap<>();

    private record Counters(LongAdder changes, LongAdder nanos) {}

    @Override
    public void applied(ShardId shard, Counts counts) {
        // What became of the records does not matter here.
    }

    @Override
    public void visible(ShardId shard, Passages passages) {
        Durations times = passages.in(Stage.APPLY);
        long changes = 0;
        long longest = 0;
        for (int i = 0; i < times.size(); i++) {
            changes += times.times(i);
            // All changes of a batch are applied together, each for as long as the batch takes.
            longest = Math.max(longest, times.nanos(i));
        }
        if (changes >= LARGE) {
            Counters counters =
                    byTable.computeIfAbsent(shard.table(), table -> new Counters(new LongAdder(), new LongAdder()));
            counters.changes().add(changes);
            counters.nanos().add(longest);
        }
    }

    /** What one change of a table takes; empty before enough of them came in large batches. */
    public Optional<Duration> perChange(String table) {
        Counters counters = byTable.get(table);
        long changes = counters == null ? 0 : counters.changes().sum();
        return counters == null || changes < ENOUGH
                ? Optional.empty()
                : Optional.of(Duration.ofNanos(counters.nanos().sum() / changes));
    }
}
