package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.stream.Stream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.build.IndexBuilder;
import dev.tidemark.deploy.bench.build.IndexShape;

/** {@code CREATE INDEX CONCURRENTLY}, which lets writes go on as well. */
public final class PostgresIndexBuilder implements IndexBuilder {
    private final PostgresServer server;
    private final Clock clock;

    private PostgresIndexBuilder(PostgresServer server, Clock clock) {
        this.server = server;
        this.clock = clock;
    }

    /** Starts a separate server and returns its builder; empty where PostgreSQL is not installed. */
    public static Optional<PostgresIndexBuilder> start(Path parent, Clock clock)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresTools> tools = PostgresTools.installed();
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(new PostgresIndexBuilder(PostgresServer.start(tools.get(), parent, clock), clock));
    }

    @Override
    public String name() {
        return "PostgreSQL";
    }

    @Override
    public void load(Stream<CustomerRow> rows) throws BenchException, InterruptedException {
        PostgresTable.create(server).load(rows);
    }

    @Override
    public Duration build(IndexShape shape) throws BenchException, InterruptedException {
        Instant begin = clock.instant();
        server.run("create index concurrently by_last_name_town on customers (\"lastName\", town)");
        return Duration.between(begin, clock.instant());
    }

    @Override
    public void drop() throws BenchException, InterruptedException {
        server.run("drop index by_last_name_town", "checkpoint");
    }

    @Override
    public void close() {
        server.close();
    }
}
