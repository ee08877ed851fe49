package dev.tidemark.deploy.bench.http;

import java.net.URI;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.verify.TableVerifier;
import dev.tidemark.row.RowJson;

/** The comparisons of a worker, asked for over HTTP. */
public final class HttpTableVerifier implements TableVerifier {
    private final HttpIndexBuilder service;
    private final Clock clock;

    public HttpTableVerifier(URI writer, URI worker, Clock clock) {
        this.service = new HttpIndexBuilder(writer, worker, clock);
        this.clock = clock;
    }

    @Override
    public void load(Stream<CustomerRow> rows) throws BenchException, InterruptedException {
        service.load(rows);
    }

    @Override
    public Compared verify(Mode mode) throws BenchException, InterruptedException {
        ObjectNode order = RowJson.mapper().createObjectNode();
        order.put("table", "customers").put("mode", mode.name().toLowerCase(Locale.ROOT));
        Instant begin = clock.instant();
        String id = service.post("/v1/verify", order).path("id").asText();
        JsonNode job = service.await(
                "/v1/verify/" + id,
                told -> told.has("equal") || told.path("state").asText().equals("failed"));
        Duration time = Duration.between(begin, clock.instant());
        if (!job.path("equal").asBoolean()) {
            throw new BenchException("the comparison was to find everything equal, but it said " + job);
        }
        return new Compared(time, job.path("rows").asLong(), job.path("basis").asText());
    }
}
