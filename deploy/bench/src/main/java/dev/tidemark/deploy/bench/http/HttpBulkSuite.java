package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.TidemarkTable;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.RowFiles;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.deploy.bench.scenario.Suite;

/** Tidemark's writer, which gets one file of rows after the other, each in one request. */
public final class HttpBulkSuite {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private HttpBulkSuite() {}

    /** Tidemark beside a baseline. */
    public static Suite of(Suite.BaselineMaker baseline) {
        return new Suite(HttpBulkSuite::writer, baseline, Suite.POSTGRES_REMEDY);
    }

    private static Contender<Map<Figure, Double>> writer(ScenarioContext context) throws IOException {
        Iterator<Path> files = RowFiles.write(context, "ndjson", customer -> customer.json() + "\n");
        TidemarkTable table = context.table();
        HttpCalls calls = HttpCalls.within(PATIENCE);
        return new Contender<>(
                table.name(),
                () -> {
                    double rate = load(calls, context, files.next());
                    // Loading nothing waits until the index has caught up.
                    table.load(Stream.empty());
                    return Map.of(Figure.BULK, rate);
                },
                table::close);
    }

    /** Returns rows a second. */
    private static double load(HttpCalls calls, ScenarioContext context, Path file)
            throws BenchException, IOException, InterruptedException {
        HttpRequest.Builder request = calls.to(
                        context.stack().services().writerUrl(), "/v1/tables/customers/rows", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofFile(file));
        Clock clock = context.stack().clock();
        Instant begin = clock.instant();
        HttpCalls.Answer answer = calls.send(request);
        Duration took = Duration.between(begin, clock.instant());
        int rows = context.size().rows();
        if (answer.json().path("committed").asInt() != rows) {
            throw new BenchException("expected all lines to be committed, but got " + answer.body());
        }
        return rows * 1e9 / took.toNanos();
    }
}
