package dev.tidemark.worker.lag;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Supplier;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.runtime.Agent;

/**
 * Samples the history of freshness. It has a separate thread, because the lag thread waits for the brokers just when
 * the history is of interest.
 */
public final class HistoryAgent implements Agent {
    private static final Duration SAMPLE = Duration.ofMillis(500);

    private final Supplier<Catalog> catalog;
    private final LagMeter meter;
    private final FreshnessHistory history;
    private final Clock clock;
    private Instant next = Instant.MIN;

    public HistoryAgent(Supplier<Catalog> catalog, LagMeter meter, FreshnessHistory history, Clock clock) {
        this.catalog = catalog;
        this.meter = meter;
        this.history = history;
        this.clock = clock;
    }

    @Override
    public String roleName() {
        return "history";
    }

    @Override
    public int doWork() {
        Instant now = clock.instant();
        if (now.isBefore(next)) {
            return 0;
        }
        next = now.plus(SAMPLE);
        for (TableDefinition table : catalog.get().tables()) {
            history.sample(table.name(), LagMeter.freshness(meter.ofWhole(table)), now);
        }
        return 1;
    }
}
