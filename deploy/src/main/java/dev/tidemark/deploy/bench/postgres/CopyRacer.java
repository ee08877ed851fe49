package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.race.Figure;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Racer;

/** {@code COPY} of the rows of one file after the other. */
final class CopyRacer implements Racer {
    private final PostgresServer server;
    private final Ground ground;
    private final Iterator<Path> files;

    CopyRacer(PostgresServer server, Ground ground, Iterator<Path> files) {
        this.server = server;
        this.ground = ground;
        this.files = files;
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public Map<Figure, Double> run() throws BenchException, IOException, InterruptedException {
        Path file = files.next();
        Instant begin = ground.clock().instant();
        server.copyFile(file, "customers");
        Duration took = Duration.between(begin, ground.clock().instant());
        server.run("checkpoint");
        return Map.of(Figure.BULK, ground.size().rows() * 1e9 / took.toNanos());
    }

    @Override
    public void close() {
        server.close();
    }
}
