package dev.tidemark.deploy.cli;

import java.text.DecimalFormat;
import java.text.DecimalFormatSymbols;
import java.time.Duration;
import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;
import me.tongfei.progressbar.ConsoleProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.runtime.BoundedWait;

/** A comparison until it is done; on a terminal with a bar that shows rows and rate. */
final class VerifyProgress {
    private static final Duration PAUSE = Duration.ofMillis(100);

    private VerifyProgress() {}

    /**
     * Waits, however long it takes.
     *
     * @return the job when it is done
     * @throws ServiceException when it failed, or the worker is gone
     */
    static JsonNode watch(WorkerApi worker, JsonNode submitted, String table, Terminal terminal)
            throws ServiceException, InterruptedException {
        String id = submitted.path("id").asText();
        try (ProgressBar bar = bar(table, terminal)) {
            JsonNode job = worker.verification(id);
            while (!isOver(job)) {
                if (bar != null && job.has("rowsTotal")) {
                    bar.maxHint(job.path("rowsTotal").asLong())
                            .stepTo(job.path("rows").asLong());
                }
                BoundedWait.rest(PAUSE);
                job = worker.verification(id);
            }
            if (job.path("state").asText().equals("failed")) {
                throw new ServiceException(
                        "it could not be compared: " + job.path("detail").asText());
            }
            return job;
        }
    }

    private static boolean isOver(JsonNode job) {
        String state = job.path("state").asText();
        return state.equals("done") || state.equals("failed");
    }

    private static @Nullable ProgressBar bar(String table, Terminal terminal) {
        return terminal.errInteractive()
                ? new ProgressBarBuilder()
                        .setTaskName(table)
                        .setInitialMax(0)
                        .setUnit(" rows", 1)
                        .showSpeed(new DecimalFormat("#,##0", DecimalFormatSymbols.getInstance(Locale.ROOT)))
                        .setStyle(ProgressBarStyle.UNICODE_BLOCK)
                        .setConsumer(new ConsoleProgressBarConsumer(terminal.err()))
                        .build()
                : null;
    }
}
