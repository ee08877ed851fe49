package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;

/** {@code COPY} of the rows of one file after the other. */
final class CopyContender implements Contender {
    private final PostgresServer server;
    private final ScenarioContext context;
    private final Iterator<Path> files;

    CopyContender(PostgresServer server, ScenarioContext context, Iterator<Path> files) {
        this.server = server;
        this.context = context;
        this.files = files;
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        Path file = files.next();
        Instant begin = context.clock().instant();
        server.copyFile(file, "customers");
        Duration took = Duration.between(begin, context.clock().instant());
        server.run("checkpoint");
        return Map.of(Figure.BULK, context.size().rows() * 1e9 / took.toNanos());
    }

    @Override
    public void close() {
        server.close();
    }
}
