package dev.tidemark.deploy.e2e.guarantee;

import java.io.IOException;
import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.e2e.http.Facts;
import dev.tidemark.deploy.e2e.http.Indexes;
import dev.tidemark.deploy.e2e.meters.MetricsPage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

/**
 * Once whatever was broken works again, everybody says by himself that the indexes of a table are less than a second
 * old.
 */
public final class FreshnessComesBack {
    private static final String FRESHNESS = "tidemark_index_freshness_seconds";
    private static final double FRESH = 1.0;
    private static final Duration PATIENCE = Duration.ofMinutes(4);
    private static final Duration STEP = Duration.ofMillis(100);

    private final Facts facts;
    private final List<Indexes> workers;

    public FreshnessComesBack(Facts facts, List<Indexes> workers) {
        this.facts = facts;
        this.workers = List.copyOf(workers);
    }

    /** Waits for it. */
    public void check(String table) {
        await().atMost(PATIENCE).pollInterval(STEP).ignoreExceptions().untilAsserted(() -> {
            requireFresh("the writer", facts.metrics(), table);
            for (Indexes worker : workers) {
                requireFresh("the worker at " + worker.http().base(), worker.metrics(), table);
            }
        });
    }

    private static void requireFresh(String who, MetricsPage page, String table) throws IOException {
        assertThat(page.largest(FRESHNESS, "table", table).orElse(Double.NaN))
                .as("freshness of %s, says %s", table, who)
                .isLessThan(FRESH);
    }
}
