package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.CustomerRow;
import dev.tidemark.deploy.bench.scenario.Contender;
import dev.tidemark.deploy.bench.scenario.RowFiles;
import dev.tidemark.deploy.bench.scenario.Scenario;
import dev.tidemark.deploy.bench.scenario.ScenarioContext;
import dev.tidemark.row.BadJsonException;

/** PostgreSQL as a baseline in scenarios, each time with a separate server. */
public final class PostgresBaselines {
    private PostgresBaselines() {}

    /** Under pgbench, with the rows and the index there; empty where PostgreSQL is not installed. */
    public static Optional<Contender> pgbench(Scenario scenario, ScenarioContext context)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresServer> server = start(context);
        if (server.isEmpty()) {
            return Optional.empty();
        }
        PostgresTable table = PostgresTable.create(server.get());
        table.index();
        table.load(IntStream.range(0, context.size().rows()).mapToObj(CustomerRow::ofRow));
        return Optional.of(new PgbenchContender(server.get(), context, PgbenchContender.Load.valueOf(scenario.name())));
    }

    /** For bulk loads, with an empty table and the index there; empty where PostgreSQL is not installed. */
    public static Optional<Contender> copy(ScenarioContext context)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresServer> server = start(context);
        if (server.isEmpty()) {
            return Optional.empty();
        }
        PostgresTable.create(server.get()).index();
        RowFiles files = RowFiles.write(context, "csv", PostgresBaselines::line);
        return Optional.of(
                new CopyContender(server.get(), context, files.paths().iterator()));
    }

    private static Optional<PostgresServer> start(ScenarioContext context)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresTools> tools = PostgresTools.installed();
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(PostgresServer.start(tools.get(), context.scratch(), context.clock()));
    }

    private static String line(CustomerRow customer) {
        try {
            return PostgresTable.line(customer);
        } catch (BadJsonException e) {
            throw new IllegalStateException("Expected a customer to be JSON, but " + e.getMessage(), e);
        }
    }
}
