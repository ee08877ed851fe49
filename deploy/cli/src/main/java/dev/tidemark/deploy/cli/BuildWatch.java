package dev.tidemark.deploy.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.deploy.client.ServiceException;
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
     * Waits for the indexes that a change made, and shows their lifecycle states.
     *
     * @param answer what the writer answered to the change
     * @param patience how long to wait
     * @return whether all are ready; false as soon as one is degraded, and when the patience is over
     */
    boolean untilReady(JsonNode answer, Duration patience) throws ServiceException, InterruptedException {
        List<Wanted> wanted = wanted(answer);
        Redraw screen = new Redraw(terminal);
        Clock clock = new SteadyClock();
        Instant end = clock.instant().plus(patience);
        while (true) {
            List<IndexLifecycle> lifecycleStates = indexes.lifecycleStates().stream()
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
            boolean ready = lifecycleStates.size() >= wanted.size()
                    && lifecycleStates.stream().allMatch(IndexLifecycle::isReady);
            if (ready || !degraded.isEmpty()) {
                show(lifecycleStates);
                return degraded.isEmpty();
            }
            if (clock.instant().isAfter(end)) {
                complain(wanted, lifecycleStates, patience);
                return false;
            }
            BoundedWait.rest(PAUSE);
        }
    }

    private void complain(List<Wanted> wanted, List<IndexLifecycle> lifecycleStates, Duration patience) {
        for (Wanted one : wanted) {
            String reached = lifecycleStates.stream()
                    .filter(one::is)
                    .findFirst()
                    .map(lifecycleState -> lifecycleState.state()
                            + (lifecycleState.isReady() ? "" : ": " + IndexTable.progress(lifecycleState) + " rows"))
                    .orElse("not known to the worker");
            terminal.complain(
                    "After " + Amounts.duration(patience) + ", " + one.table() + "." + one.index() + " is " + reached);
        }
        terminal.complain("What is in force stays so, and building goes on; see tidemark indexes.");
    }

    private void show(List<IndexLifecycle> lifecycleStates) throws ServiceException, InterruptedException {
        if (silent) {
            return;
        }
        for (IndexLifecycle lifecycleState : lifecycleStates) {
            JsonNode index = indexes.show(lifecycleState.index());
            if (lifecycleState.isReady()) {
                terminal.line(lifecycleState.qualifiedName() + " is ready");
                terminal.lines(ForecastVsActualLines.comparison(index, terminal));
            } else {
                terminal.lines(ForecastVsActualLines.render(index, terminal));
            }
        }
    }

    private static List<Wanted> wanted(JsonNode answer) {
        List<Wanted> wanted = new ArrayList<>();
        for (JsonNode change : answer.path("changes")) {
            if (!change.path("action").asText().equals("drop")) {
                wanted.add(new Wanted(
                        change.path("table").asText(),
                        change.path("index").asText(),
                        change.path("generation").asLong()));
            }
        }
        return wanted;
    }
}
