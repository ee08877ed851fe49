package dev.tidemark.deploy.demo;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.api.BulkResult;
import dev.tidemark.api.LagReport;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.Tint;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;

/** The course of the demo, on a running stack whose catalog is the samples'. */
public final class Demo {
    private static final Duration CATCH_UP = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(50);
    private static final double FRESH_SECONDS = 2;

    private final WriterApi writer;
    private final WorkerApi worker;
    private final Samples samples;
    private final Terminal terminal;
    private final Clock clock;
    private final List<DemoCheck> checks = new ArrayList<>();

    public Demo(WriterApi writer, WorkerApi worker, Samples samples, Terminal terminal, Clock clock) {
        this.writer = writer;
        this.worker = worker;
        this.samples = samples;
        this.terminal = terminal;
        this.clock = clock;
    }

    /**
     * Loads, asks, writes and watches.
     *
     * @return everything that was checked
     * @throws ServiceException when a service refuses or is gone
     */
    public List<DemoCheck> run() throws ServiceException, InterruptedException {
        load();
        DemoQueryRunner runner = new DemoQueryRunner(writer, worker, terminal);
        for (DemoQueries.Chapter chapter : DemoQueries.all()) {
            heading(chapter.title());
            for (DemoQuery question : chapter.questions()) {
                checks.add(runner.ask(question));
            }
        }
        heading("The lag, while a client writes");
        LiveLag live = new LiveLag(writer, worker, terminal, clock);
        for (DemoCheck check : live.run()) {
            checks.add(check);
            runner.showCheck(check);
        }
        return List.copyOf(checks);
    }

    private void load() throws ServiceException, InterruptedException {
        heading("Loading the sample tables");
        Map<String, String> tokens = new LinkedHashMap<>();
        for (String table : Samples.TABLES) {
            Instant start = clock.instant();
            BulkResult result = writer.load(table, () -> samples.open(table));
            Duration took = Duration.between(start, clock.instant());
            tokens.put(table, result.token());
            String rejected = result.rejected().isEmpty()
                    ? ""
                    : ", rejected: " + result.rejected().get(0).detail();
            terminal.line(String.format(
                    "  %-12s %5s rows in %s%s",
                    table, Amounts.count(result.committed()), Amounts.duration(took), rejected));
            checks.add(new DemoCheck("load " + table, result.rejected().isEmpty(), "no line rejected" + rejected));
        }
        Instant loaded = clock.instant();
        awaitTokens(tokens);
        terminal.line("  Every index had all of it " + Amounts.duration(Duration.between(loaded, clock.instant()))
                + " after the last row was committed.");
        boolean caughtUp = BoundedWait.until(this::isCaughtUp, CATCH_UP, STEP);
        checks.add(new DemoCheck(
                "lag", caughtUp, caughtUp ? "0 records behind" : "still behind after " + CATCH_UP.toSeconds() + " s"));
        if (!caughtUp) {
            terminal.line(terminal.tinted("  Still behind after " + CATCH_UP.toSeconds() + " s.", Tint.RED));
        }
        terminal.line();
    }

    /** A query with a token is answered only when the index has that write. */
    private void awaitTokens(Map<String, String> tokens) throws ServiceException, InterruptedException {
        for (JsonNode index : worker.lag().path("indexes")) {
            String token = tokens.get(index.path("table").asText());
            if (token != null) {
                worker.query(QueryRequest.of(index.path("index").asText())
                        .with("limit", "1")
                        .with("token", token)
                        .with("wait", CATCH_UP.toSeconds() + "s"));
            }
        }
    }

    private boolean isCaughtUp() {
        try {
            List<LagReport.IndexLag> indexes =
                    RowJson.as(LagReport.class, worker.lag()).indexes();
            return !indexes.isEmpty() && indexes.stream().allMatch(index -> index.isCaughtUp(FRESH_SECONDS));
        } catch (ServiceException e) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void heading(String title) {
        terminal.line(terminal.tinted(title, Tint.BOLD));
        String stroke = terminal.interactive() ? "─" : "-";
        terminal.line(terminal.tinted(stroke.repeat(title.length()), Tint.DIM));
    }
}
