package dev.tidemark.deploy.bench.http;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.row.BadJsonException;
import dev.tidemark.row.RowJson;

/** Tidemark's writer, which gets one file of rows after the other, each in one request. */
public final class HttpBulkContender implements Contender {
    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    private final ScenarioContext context;
    private final IndexBuilder table;
    private final Iterator<Path> files;

    /**
     * A racer.
     *
     * @param table to know when the index has caught up
     * @param files with the rows of a round each
     */
    public HttpBulkContender(ScenarioContext context, IndexBuilder table, Iterator<Path> files) {
        this.context = context;
        this.table = table;
        this.files = files;
    }

    @Override
    public String name() {
        return table.name();
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(context.stack().writerUrl().resolve("/v1/tables/customers/rows"))
                .timeout(PATIENCE)
                .header("Content-Type", "application/x-ndjson")
                .POST(HttpRequest.BodyPublishers.ofFile(files.next()))
                .build();
        Instant begin = context.clock().instant();
        HttpResponse<String> answer = client.send(request, HttpResponse.BodyHandlers.ofString());
        Duration took = Duration.between(begin, context.clock().instant());
        requireAll(answer.body());
        // Loading nothing waits until the index has caught up.
        table.load(Stream.empty());
        return Map.of(Figure.BULK, context.size().rows() * 1e9 / took.toNanos());
    }

    @Override
    public void close() {
        table.close();
    }

    private void requireAll(String answer) throws BenchException {
        try {
            if (RowJson.parseEnvelope(answer.getBytes(StandardCharsets.UTF_8))
                            .path("committed")
                            .asInt()
                    == context.size().rows()) {
                return;
            }
        } catch (BadJsonException e) {
            throw new BenchException("a bulk load was answered " + answer, e);
        }
        throw new BenchException("expected all lines to be committed, but got " + answer);
    }
}
