package dev.tidemark.deploy.cli;

import java.time.Duration;
import java.util.List;
import java.util.Map;
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

    /** Number of rows to sample of the smallest table, so that its sample is not a handful of rows. */
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

    /**
     * The part of the rows to look at. It is the whole where the size of a table is not known: the worker reads each
     * topic to its end for any part, and keeps a limited number of bytes of a large one.
     */
    private static double percent(List<IndexChange> changes, List<IndexLifecycle> lifecycleStates) {
        Map<String, Long> sizes = lifecycleStates.stream()
                .collect(Collectors.toMap(
                        IndexLifecycle::table, state -> state.progress().rowsTotal(), Math::max));
        long smallest = changes.stream()
                .filter(change -> !(change instanceof IndexChange.Drop))
                .mapToLong(change -> sizes.getOrDefault(change.index().table(), 0L))
                .min()
                .orElse(0);
        double wanted = 100 * ENOUGH_ROWS / Math.max(1, smallest);
        return Math.min(100, Math.max(LEAST_PERCENT, Math.ceil(wanted)));
    }
}
