package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Iterator;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Contender;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.IndexBuilder;
import dev.tidemark.deploy.bench.scenario.Figure;
import dev.tidemark.deploy.bench.scenario.RowFiles;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;

/** PostgreSQL as a baseline, each time with a separate server; empty where it is not installed. */
public final class PostgresBaselines {
    private PostgresBaselines() {}

    /** A builder of indexes with a database below the directory. */
    public static Optional<IndexBuilder> builder(Path parent, Clock clock)
            throws BenchException, IOException, InterruptedException {
        return PostgresServer.installed(parent, clock).map(server -> server);
    }

    /** Under pgbench, with the rows and the index there. */
    public static Optional<Contender<Map<Figure, Double>>> pgbench(Scenario scenario, ScenarioContext context)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresServer> found = start(context);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PostgresServer server = found.get();
        server.createIndex();
        server.load(CustomerRow.table(context.size().rows()));
        PgbenchRound round = PgbenchRound.prepare(server, context, scenario);
        return Optional.of(new Contender<>(server.name(), round::run, server::close));
    }

    /** {@code COPY} of the rows of one file after the other, with an empty table and the index there. */
    public static Optional<Contender<Map<Figure, Double>>> copy(ScenarioContext context)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresServer> found = start(context);
        if (found.isEmpty()) {
            return Optional.empty();
        }
        PostgresServer server = found.get();
        server.createIndex();
        Iterator<Path> files = RowFiles.write(context, "csv", PostgresServer::line);
        Clock clock = context.stack().clock();
        return Optional.of(new Contender<>(
                server.name(),
                () -> {
                    Path file = files.next();
                    Instant begin = clock.instant();
                    server.copyFile(file);
                    Duration took = Duration.between(begin, clock.instant());
                    server.run("checkpoint");
                    return Map.of(Figure.BULK, context.size().rows() * 1e9 / took.toNanos());
                },
                server::close));
    }

    private static Optional<PostgresServer> start(ScenarioContext context)
            throws BenchException, IOException, InterruptedException {
        return PostgresServer.installed(
                context.stack().directory(), context.stack().clock());
    }
}
