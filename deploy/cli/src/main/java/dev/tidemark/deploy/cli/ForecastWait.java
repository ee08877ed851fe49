package dev.tidemark.deploy.cli;

import java.time.Duration;
import java.time.Instant;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;

/** Runs a forecast of a catalog on a worker and waits for its result, with a progress bar on a terminal. */
final class ForecastWait {
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final WorkerApi worker;
    private final Terminal terminal;
    private final Duration patience;
    private final SteadyClock clock = new SteadyClock();

    /**
     * A rehearsal to be run.
     *
     * @param patience how long to wait for it
     */
    ForecastWait(WorkerApi worker, Terminal terminal, Duration patience) {
        this.worker = worker;
        this.terminal = terminal;
        this.patience = patience;
    }

    /**
     * What it came to.
     *
     * @param catalog as in a catalog file
     * @param percent the part of the rows to look at
     * @throws ServiceException when the worker does not answer, gives up, or takes longer than the patience
     */
    JsonNode run(String catalog, double percent) throws ServiceException, InterruptedException {
        Instant end = clock.instant().plus(patience);
        JsonNode plan = worker.plan(catalog, percent);
        String id = plan.path("id").asText();
        try (PlanProgress progress = new PlanProgress(terminal)) {
            while (true) {
                switch (plan.path("state").asText()) {
                    case "done" -> {
                        return plan;
                    }
                    case "failed" ->
                        throw new ServiceException("the worker gave the rehearsal up: "
                                + plan.path("reason").asText());
                    default -> progress.show(plan.path("progress"));
                }
                if (clock.instant().isAfter(end)) {
                    throw new ServiceException(
                            "the worker has not finished the rehearsal within " + Amounts.duration(patience));
                }
                BoundedWait.rest(PAUSE);
                plan = worker.plan(id);
            }
        }
    }
}
