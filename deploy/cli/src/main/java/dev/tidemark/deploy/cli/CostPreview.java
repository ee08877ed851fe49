package dev.tidemark.deploy.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.ChangeCosts;
import dev.tidemark.deploy.text.Terminal;

/** Asks the worker what changes will cost. A worker that does not answer is complained about, and stops nothing. */
record CostPreview(WorkerApi worker, Terminal terminal) {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    /** Number of rows of the largest table to sample, so that a sample of a smaller table is not a handful of rows. */
    private static final double ENOUGH_ROWS = 20_000;

    private static final double LEAST_PERCENT = 1;

    /**
     * The costs of changes.
     *
     * @param catalog the text of the file that makes them
     */
    ChangeCosts of(List<IndexChange> changes, String catalog) throws InterruptedException {
        List<IndexLifecycle> lifecycleStates = lifecycleStates();
        Map<String, Long> entries = lifecycleStates.stream()
                .collect(Collectors.toMap(IndexLifecycle::qualifiedName, IndexLifecycle::entries, Math::max));
        return ChangeCosts.of(entries, plan(changes, catalog, percent(changes, lifecycleStates)));
    }

    private List<IndexLifecycle> lifecycleStates() throws InterruptedException {
        try {
            return worker.lifecycleStates();
        } catch (ServiceException e) {
            // The forecast reports the same failure.
            return List.of();
        }
    }

    private JsonNode plan(List<IndexChange> changes, String catalog, double percent) throws InterruptedException {
        if (changes.stream().allMatch(change -> change instanceof IndexChange.Drop)) {
            return MissingNode.getInstance();
        }
        try {
            return new WorkerJob(worker, terminal).forecast(catalog, percent, PATIENCE);
        } catch (ServiceException e) {
            terminal.complain("What this will cost could not be forecast: " + e.getMessage());
            return MissingNode.getInstance();
        }
    }

    /** The part of the rows to look at. */
    private static double percent(List<IndexChange> changes, List<IndexLifecycle> lifecycleStates) {
        Set<String> tables =
                changes.stream().map(change -> change.index().table()).collect(Collectors.toSet());
        long largest = lifecycleStates.stream()
                .filter(lifecycleState -> tables.contains(lifecycleState.table()))
                .mapToLong(lifecycleState -> lifecycleState.progress().rowsTotal())
                .max()
                .orElse(0);
        double wanted = largest == 0 ? LEAST_PERCENT : 100 * ENOUGH_ROWS / largest;
        return Math.min(100, Math.max(LEAST_PERCENT, Math.ceil(wanted)));
    }
}
