package dev.tidemark.deploy.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.Definitions;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.UnansweredException;
import dev.tidemark.deploy.client.UnavailableException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.ForecastVsActualLines;
import dev.tidemark.deploy.text.IndexTable;
import dev.tidemark.deploy.text.Redraw;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;

/** Waits until indexes are ready, and on a terminal shows how far they are. */
record BuildWatch(WorkerApi indexes, Terminal terminal, boolean silent) {
    private static final Duration PAUSE = Duration.ofMillis(250);

    /** One index that is waited for. */
    private record Wanted(String table, String index, long generation) {
        boolean is(IndexLifecycle lifecycleState) {
            return lifecycleState.is(table, index, generation);
        }
    }

    /**
     * Waits for the indexes of a catalog, also for those that an earlier change made, and shows their lifecycle states.
     *
     * @param catalog whose indexes are waited for
     * @param inForce definitions with the generation of each
     * @param answer what the writer answered to the change
     * @param patience how long to wait
     * @return whether all are ready; false as soon as one is degraded, and when the patience is over
     * @throws ServiceException when the worker does not answer at the end of the patience
     */
    boolean untilReady(Catalog catalog, Definitions inForce, JsonNode answer, Duration patience)
            throws ServiceException, InterruptedException {
        List<Wanted> wanted = wanted(catalog, inForce);
        Redraw screen = new Redraw(terminal);
        Clock clock = new SteadyClock();
        Instant end = clock.instant().plus(patience);
        while (true) {
            List<IndexLifecycle> lifecycleStates = lifecycleStates(clock, end).stream()
                    .filter(lifecycleState -> wanted.stream().anyMatch(one -> one.is(lifecycleState)))
                    .toList();
            if (!silent && terminal.interactive()) {
                screen.draw(lifecycleStates.stream()
                        .map(one -> IndexTable.bar(one, terminal))
                        .toList());
            }
            List<IndexLifecycle> degraded = lifecycleStates.stream()
                    .filter(lifecycleState -> lifecycleState.state().equals("degraded"))
                    .toList();
            degraded.forEach(lifecycleState -> terminal.complain(lifecycleState.qualifiedName() + " is degraded: "
                    + lifecycleState.life().cause()));
            boolean ready = wanted.stream()
                    .allMatch(one -> lifecycleStates.stream().anyMatch(found -> one.is(found) && found.isReady()));
            if (ready || !degraded.isEmpty()) {
                show(lifecycleStates, made(answer));
                return degraded.isEmpty();
            }
            if (clock.instant().isAfter(end)) {
                complain(wanted, lifecycleStates, patience);
                return false;
            }
            BoundedWait.rest(PAUSE);
        }
    }

    /** Asks again while the worker does not answer: builds go on once it is back. */
    private List<IndexLifecycle> lifecycleStates(Clock clock, Instant end)
            throws ServiceException, InterruptedException {
        String complaint = "";
        while (true) {
            try {
                return indexes.lifecycleStates();
            } catch (UnansweredException | UnavailableException e) {
                if (clock.instant().isAfter(end)) {
                    throw e;
                }
                if (!e.getMessage().equals(complaint)) {
                    complaint = e.getMessage();
                    terminal.complain("Asking again, because " + complaint);
                }
            }
            BoundedWait.rest(PAUSE);
        }
    }

    private void complain(List<Wanted> wanted, List<IndexLifecycle> lifecycleStates, Duration patience) {
        for (Wanted one : wanted) {
            Optional<IndexLifecycle> reached =
                    lifecycleStates.stream().filter(one::is).findFirst();
            if (reached.filter(IndexLifecycle::isReady).isEmpty()) {
                String state = reached.map(found -> found.state() + ": " + IndexTable.progress(found) + " rows")
                        .orElse("not known to the worker");
                terminal.complain("After " + Amounts.duration(patience) + ", " + one.table() + "." + one.index()
                        + " is " + state);
            }
        }
        terminal.complain("What is in force stays so, and building goes on; see tidemark indexes.");
    }

    /** Shows what was made, and all that is not ready. */
    private void show(List<IndexLifecycle> lifecycleStates, List<Wanted> made)
            throws ServiceException, InterruptedException {
        if (silent) {
            return;
        }
        for (IndexLifecycle lifecycleState : lifecycleStates) {
            if (lifecycleState.isReady() && made.stream().noneMatch(one -> one.is(lifecycleState))) {
                continue;
            }
            JsonNode index = indexes.show(lifecycleState.index());
            if (lifecycleState.isReady()) {
                terminal.line(lifecycleState.qualifiedName() + " is ready");
                terminal.lines(ForecastVsActualLines.comparison(index, terminal));
            } else {
                terminal.lines(ForecastVsActualLines.render(index, terminal));
            }
        }
        if (lifecycleStates.stream().allMatch(IndexLifecycle::isReady)) {
            terminal.line("Every index of the file is ready.");
        }
    }

    private static List<Wanted> wanted(Catalog catalog, Definitions inForce) {
        return catalog.indexes().stream()
                .flatMap(index -> inForce.index(index.table(), index.name()).stream()
                        .map(plan -> new Wanted(
                                index.table(), index.name(), plan.current().id())))
                .toList();
    }

    private static List<Wanted> made(JsonNode answer) {
        List<Wanted> made = new ArrayList<>();
        for (JsonNode change : answer.path("changes")) {
            if (!change.path("action").asText().equals("drop")) {
                made.add(new Wanted(
                        change.path("table").asText(),
                        change.path("index").asText(),
                        change.path("generation").asLong()));
            }
        }
        return made;
    }
}
