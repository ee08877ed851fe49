package dev.tidemark.deploy.cli;

import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.catalog.DesiredIndex;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;

/**
 * Brings a catalog in force so that the generation that answers now is the one that is kept. Definitions keep two
 * generations of an index and do not know which is ready; the worker knows. Where an earlier change is done in every
 * replica group, what it replaced is retired first.
 */
record CatalogRollout(WriterApi catalog, WorkerApi indexes) {
    JsonNode put(Definitions present, Catalog wanted, String text) throws ServiceException, InterruptedException {
        Definitions next = present.changed(wanted, present.at());
        long version = present.version();
        for (IndexChange change : present.diff(wanted)) {
            String table = change.index().table();
            String name = change.index().name();
            Optional<DesiredIndex> plan = present.index(table, name)
                    .filter(held -> next.index(table, name)
                            .filter(after -> pushesOut(held, after))
                            .isPresent());
            if (plan.isPresent() && isReady(table, name, plan.get().current().id())) {
                version = catalog.order("retire", table, name, version)
                        .path("version")
                        .asLong();
            }
        }
        return catalog.put(text, version);
    }

    /** Whether one of two generations goes by a change, which returns to neither of them. */
    private static boolean pushesOut(DesiredIndex held, DesiredIndex after) {
        return held.previous().isPresent() && !held.generations().contains(after.current());
    }

    /** Whether a generation answers in every replica group: only then the worker names an end of the one before. */
    private boolean isReady(String table, String name, long generation) throws InterruptedException {
        try {
            return indexes.lifecycleStates().stream()
                    .filter(lifecycleState -> lifecycleState.is(table, name, generation) && lifecycleState.isReady())
                    .map(IndexLifecycle::previous)
                    .anyMatch(previous ->
                            previous != null && !previous.rollbackUntil().isEmpty());
        } catch (ServiceException e) {
            // Who cannot be asked is taken to be building: then the generation from before is kept.
            return false;
        }
    }
}
