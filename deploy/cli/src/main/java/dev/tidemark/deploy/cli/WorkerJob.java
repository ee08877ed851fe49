package dev.tidemark.deploy.cli;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.runtime.SteadyClock;

/** Starts a job of a worker and waits for its result, with a progress bar on a terminal. */
record WorkerJob(WorkerApi worker, Terminal terminal) {
    private static final Duration PAUSE = Duration.ofMillis(100);

    /**
     * Compares a table with its indexes, however long it takes.
     *
     * @throws ServiceException when the comparison failed, or the worker is gone
     */
    JsonNode verify(String table, Optional<String> index, boolean full, boolean repair)
            throws ServiceException, InterruptedException {
        String id = worker.verify(table, index, full, repair).path("id").asText();
        try (ProgressLine progress = new ProgressLine(terminal, "rows", true)) {
            progress.show(table, 0, 0);
            JsonNode job = worker.verification(id);
            while (isRunning(job)) {
                progress.show(
                        table, job.path("rows").asLong(), job.path("rowsTotal").asLong());
                BoundedWait.rest(PAUSE);
                job = worker.verification(id);
            }
            return done(job, "it could not be compared: ", "detail");
        }
    }

    /**
     * Forecasts a catalog.
     *
     * @param catalog as in a catalog file
     * @param percent the part of the rows to look at
     * @throws ServiceException when the worker does not answer, gives up, or takes longer than the patience
     */
    JsonNode forecast(String catalog, double percent, Duration patience) throws ServiceException, InterruptedException {
        Clock clock = new SteadyClock();
        Instant end = clock.instant().plus(patience);
        JsonNode job = worker.plan(catalog, percent);
        try (ProgressLine bar = new ProgressLine(terminal, "changes", false)) {
            while (isRunning(job)) {
                // Missing while other forecasts come first.
                JsonNode progress = job.path("progress");
                if (!progress.isMissingNode()) {
                    bar.show(
                            progress.path("table").asText(),
                            progress.path("offsetsDone").asLong(),
                            progress.path("offsetsTotal").asLong());
                }
                if (clock.instant().isAfter(end)) {
                    throw new ServiceException(
                            "the worker has not finished the forecast within " + Amounts.duration(patience));
                }
                BoundedWait.rest(PAUSE);
                job = worker.plan(job.path("id").asText());
            }
            return done(job, "the worker gave the forecast up: ", "reason");
        }
    }

    private static boolean isRunning(JsonNode job) {
        return !Set.of("done", "failed").contains(job.path("state").asText());
    }

    private static JsonNode done(JsonNode job, String failure, String cause) throws ServiceException {
        if (job.path("state").asText().equals("failed")) {
            throw new ServiceException(failure + job.path(cause).asText());
        }
        return job;
    }
}
