package dev.tidemark.worker.advise;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

import dev.tidemark.runtime.DurationCounts;
import dev.tidemark.worker.apply.ShardApplier;
import dev.tidemark.worker.apply.Stage;
import dev.tidemark.worker.apply.StageLatencies;
import dev.tidemark.worker.store.ShardId;

/**
 * Measures the time to apply one change, by table, from the time of whole batches. Only large batches count: a small
 * batch spends most of its time in the commit itself, which does not show the cost of a change. Other load on the
 * processor makes a batch slower. The undisturbed cost is near the fastest batches, so {@link #perChange} returns a low
 * quantile. For any thread.
 */
public final class CostMeter implements ShardApplier.Listener {
    /** Changes in the smallest batch that counts. */
    static final int LARGE = 100;

    /** Fewer changes than this are no measurement. */
    private static final long ENOUGH = 1_000;

    private final Map<String, Counters> byTable = new ConcurrentHashMap<>();

    /** Number of recent batches that are kept per table, so that the result follows a table that changes its shape. */
    private static final int REMEMBERED = 256;

    /** One batch out of this number is assumed to have run undisturbed. */
    private static final int UNDISTURBED = 10;

    /** The last batches of one table, in nanoseconds a change. */
    private static final class Counters {
        private final ArrayDeque<Long> perChange = new ArrayDeque<>();
        private long changes;

        synchronized void add(long some, long nanos) {
            changes += some;
            perChange.add(nanos / some);
            if (perChange.size() > REMEMBERED) {
                perChange.remove();
            }
        }

        synchronized Optional<Duration> quick() {
            return changes < ENOUGH
                    ? Optional.empty()
                    : perChange.stream()
                            .sorted()
                            .skip(perChange.size() / UNDISTURBED)
                            .findFirst()
                            .map(Duration::ofNanos);
        }
    }

    /** Forgets the tables that are not among these. */
    void retain(Set<String> tables) {
        byTable.keySet().retainAll(tables);
    }

    @Override
    public void visible(ShardId shard, StageLatencies latencies) {
        DurationCounts times = latencies.in(Stage.APPLY);
        long changes = 0;
        long longest = 0;
        for (int i = 0; i < times.size(); i++) {
            changes += times.times(i);
            // All changes of a batch are applied together, each for as long as the batch takes.
            longest = Math.max(longest, times.nanos(i));
        }
        if (changes >= LARGE) {
            byTable.computeIfAbsent(shard.table(), table -> new Counters()).add(changes, longest);
        }
    }

    /** What one change of a table takes; empty before enough of them came in large batches. */
    public Optional<Duration> perChange(String table) {
        Counters counters = byTable.get(table);
        return counters == null ? Optional.empty() : counters.quick();
    }
}
