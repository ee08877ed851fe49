package dev.tidemark.deploy.bench.postgres;

import java.io.IOException;
import java.util.Optional;
import java.util.stream.IntStream;

import dev.tidemark.deploy.bench.BenchException;
import dev.tidemark.deploy.bench.Customer;
import dev.tidemark.deploy.bench.race.Course;
import dev.tidemark.deploy.bench.race.Ground;
import dev.tidemark.deploy.bench.race.Racer;
import dev.tidemark.deploy.bench.race.RowFiles;
import dev.tidemark.row.BadJsonException;

/** PostgreSQL as a peer in races, each time with a server of its own. */
public final class PostgresPeers {
    private PostgresPeers() {}

    /** Under pgbench, with the rows and the index there; empty where PostgreSQL is not installed. */
    public static Optional<Racer> pgbench(Course course, Ground ground)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresServer> server = start(ground);
        if (server.isEmpty()) {
            return Optional.empty();
        }
        PostgresTable table = PostgresTable.create(server.get());
        table.index();
        table.load(IntStream.range(0, ground.size().rows()).mapToObj(Customer::ofRow));
        return Optional.of(new PgbenchRacer(server.get(), ground, PgbenchRacer.Load.valueOf(course.name())));
    }

    /** For bulk loads, with an empty table and the index there; empty where PostgreSQL is not installed. */
    public static Optional<Racer> copy(Ground ground) throws BenchException, IOException, InterruptedException {
        Optional<PostgresServer> server = start(ground);
        if (server.isEmpty()) {
            return Optional.empty();
        }
        PostgresTable.create(server.get()).index();
        RowFiles files = RowFiles.write(ground, "csv", PostgresPeers::line);
        return Optional.of(new CopyRacer(server.get(), ground, files.paths().iterator()));
    }

    private static Optional<PostgresServer> start(Ground ground)
            throws BenchException, IOException, InterruptedException {
        Optional<PostgresTools> tools = PostgresTools.installed();
        return tools.isEmpty()
                ? Optional.empty()
                : Optional.of(PostgresServer.start(tools.get(), ground.scratch(), ground.clock()));
    }

    private static String line(Customer customer) {
        try {
            return PostgresTable.line(customer);
        } catch (BadJsonException e) {
            throw new IllegalStateException("Expected a customer to be JSON, but " + e.getMessage(), e);
        }
    }
}
