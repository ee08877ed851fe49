package dev.tidemark.deploy.e2e.guarantee;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;

import org.awaitility.core.ConditionTimeoutException;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.e2e.meters.MetricsPage;
import dev.tidemark.index.IndexDefinition;

import static org.awaitility.Awaitility.await;

/**
 * After the last write, and once whatever it needs is running, the lag of every index of a table gets to zero by
 * itself: no records behind, and a watermark later than the last write. What is checked after it must not need a retry.
 */
public final class LagReachesZero {
    /** Clocks of two processes on one machine differ by less. */
    private static final Duration CLOCK_DIFFERENCE = Duration.ofMillis(300);

    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration STEP = Duration.ofMillis(50);

    private final Indexes indexes;
    private final Clock clock;

    public LagReachesZero(Indexes indexes, Clock clock) {
        this.indexes = indexes;
        this.clock = clock;
    }

    /** Waits for it; everything written before the call is then in the indexes. */
    public void check(TableDefinition table) {
        Instant since = clock.instant().plus(CLOCK_DIFFERENCE);
        AtomicReference<String> last = new AtomicReference<>("nothing was asked yet");
        Set<String> wereZero = new HashSet<>();
        try {
            await().atMost(PATIENCE).pollInterval(STEP).until(() -> {
                String behind = whatIsBehind(table, since, wereZero);
                last.set(behind);
                return behind.isEmpty();
            });
        } catch (ConditionTimeoutException e) {
            throw new AssertionError("the lag of " + table.name() + " does not get to zero: " + last.get(), e);
        }
    }

    /** Empty when nothing is. */
    private String whatIsBehind(TableDefinition table, Instant since, Set<String> wereZero)
            throws InterruptedException {
        try {
            for (IndexDefinition index : table.indexes()) {
                String name = index.qualifiedName();
                if (indexes.completeUpTo(name)
                        .filter(time -> !time.isBefore(since))
                        .isEmpty()) {
                    return name + " is complete up to " + indexes.completeUpTo(name) + " and not to " + since;
                }
            }
            return whatTheMetersSay(table, indexes.metrics(), wereZero);
        } catch (IOException | AssertionError e) {
            return String.valueOf(e.getMessage());
        }
    }

    /**
     * Each meter has to show 0, but not all at one moment: on a busy machine the next heartbeat may be on its way to
     * one of them.
     */
    private static String whatTheMetersSay(TableDefinition table, MetricsPage page, Set<String> wereZero) {
        for (IndexDefinition index : table.indexes()) {
            int partitions = index.isGlobal() ? index.partitions() : table.partitions();
            for (String meter : List.of("tidemark_index_lag_records", "tidemark_index_lag_seconds")) {
                List<Double> values = page.values(meter, "table", table.name(), "index", index.name());
                boolean zero = values.size() == partitions;
                for (int i = 0; i < values.size(); i++) {
                    String one = meter + " " + index.name() + " " + i;
                    if (values.get(i) == 0.0) {
                        wereZero.add(one);
                    }
                    zero &= wereZero.contains(one);
                }
                if (!zero) {
                    return meter + " of " + index.qualifiedName() + " is " + values;
                }
            }
        }
        return "";
    }
}
