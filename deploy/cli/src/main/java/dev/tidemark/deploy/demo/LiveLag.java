package dev.tidemark.deploy.demo;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

import dev.tidemark.api.IndexAnswer;
import dev.tidemark.api.LagReport;
import dev.tidemark.api.LagReport.IndexLag;
import dev.tidemark.deploy.client.QueryRequest;
import dev.tidemark.deploy.client.ServiceException;
import dev.tidemark.deploy.client.WorkerApi;
import dev.tidemark.deploy.client.WriterApi;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.LagTable;
import dev.tidemark.deploy.text.Redraw;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.AgentRunner;
import dev.tidemark.runtime.BoundedWait;

/** Lets a client write for a few seconds, shows the lag meanwhile, and then looks whether everything has arrived. */
record LiveLag(WriterApi writer, WorkerApi worker, Terminal terminal, Clock clock) {
    private static final Duration TIME = Duration.ofSeconds(4);
    private static final Duration REST = Duration.ofMillis(20);
    private static final Duration FRAME = Duration.ofMillis(200);
    private static final Duration PLAIN_FRAME = Duration.ofSeconds(1);
    private static final String TABLE = "customers";
    private static final String INDEX = "by_town";
    private static final String WAIT = "10s";
    private static final int PAGE = 1_000;

    List<DemoCheck> run() throws ServiceException, InterruptedException {
        SteadyWrites client = new SteadyWrites(writer);
        try (AgentRunner running = AgentRunner.start(client, REST)) {
            watch(client);
            if (!running.close(Duration.ofSeconds(5))) {
                return List.of(new DemoCheck("steady writes", false, "the client did not stop"));
            }
        }
        terminal.line();
        return check(client);
    }

    private void watch(SteadyWrites client) throws ServiceException, InterruptedException {
        Redraw screen = new Redraw(terminal);
        Instant start = clock.instant();
        Duration passed = Duration.ZERO;
        while (passed.compareTo(TIME) < 0) {
            BoundedWait.rest(terminal.interactive() ? FRAME : PLAIN_FRAME);
            passed = Duration.between(start, clock.instant());
            screen.draw(frame(client, passed));
        }
    }

    private List<String> frame(SteadyWrites client, Duration passed) throws ServiceException, InterruptedException {
        LagReport lag = RowJson.as(LagReport.class, worker.lag()).of(TABLE);
        String head = String.format(
                "after %s: %s rows written, %s a second",
                Amounts.duration(passed), Amounts.count(client.written()), Amounts.rate(client.written(), passed));
        List<String> lines = new ArrayList<>();
        if (terminal.interactive()) {
            lines.add(head);
            lines.addAll(LagTable.render(lag, terminal));
        } else {
            lag.indexes().stream()
                    .filter(index -> index.index().equals(INDEX))
                    .forEach(index -> lines.add(head + "; " + summary(index)));
        }
        return lines;
    }

    private static String summary(IndexLag index) {
        return index.index() + " is " + index.state() + ", at most " + Amounts.atMost(index.freshnessSeconds())
                + " old; changes visible after "
                + Amounts.seconds(index.visibility().p50Seconds()) + " (median), "
                + Amounts.seconds(index.visibility().p99Seconds()) + " (99 of 100)";
    }

    private List<DemoCheck> check(SteadyWrites client) throws ServiceException, InterruptedException {
        String token = client.token();
        String failure = client.failure();
        if (failure != null || token == null) {
            return List.of(new DemoCheck("steady writes", false, "the client could not write: " + failure));
        }
        Instant asked = clock.instant();
        long found = countTown(token);
        Duration took = Duration.between(asked, clock.instant());
        long stored = writer.scan(TABLE).stream()
                .filter(row -> SteadyWrites.TOWN.equals(row.row().path("town").textValue()))
                .count();
        return List.of(new DemoCheck(
                "read your own writes",
                found == stored && stored >= client.written(),
                "with the token of the last write, the index finds " + Amounts.count(found) + " of the "
                        + Amounts.count(stored) + " rows in the table (asked and answered in "
                        + Amounts.duration(took) + ")"));
    }

    private long countTown(String token) throws ServiceException, InterruptedException {
        QueryRequest query = QueryRequest.of(INDEX)
                .with("town", SteadyWrites.TOWN)
                .with("limit", Integer.toString(PAGE))
                .with("token", token)
                .with("wait", WAIT);
        IndexAnswer page = RowJson.as(IndexAnswer.class, worker.query(query));
        long count = page.entries().size();
        while (!page.next().isEmpty()) {
            page = RowJson.as(IndexAnswer.class, worker.query(query.with("cursor", page.next())));
            count += page.entries().size();
        }
        return count;
    }
}
