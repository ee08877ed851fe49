package dev.tidemark.deploy.bench.cli;

import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.util.List;

import dev.tidemark.deploy.bench.postgres.TownQueries;
import dev.tidemark.http.HttpServer;
import dev.tidemark.http.HttpSettings;
import dev.tidemark.http.Permission;
import dev.tidemark.http.PortInUseException;
import dev.tidemark.http.Route;
import dev.tidemark.http.Security;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.runtime.SteadyClock;

/**
 * What a Java program would be that answers from PostgreSQL in place of the worker: the worker's HTTP server, and a
 * query for each request. Prints its port, and runs until its standard input ends.
 */
public final class PostgresHttpMain {
    private static final int THREADS = 64;
    private static final Duration DRAIN = Duration.ofSeconds(1);

    private PostgresHttpMain() {}

    /** Arguments: the JDBC URL. */
    public static void main(String[] arguments) throws IOException, PortInUseException {
        Clock clock = new SteadyClock();
        try (TownQueries queries = new TownQueries(arguments[0]);
                HttpServer server = HttpServer.start(
                        new HttpSettings("127.0.0.1", 0, THREADS, DRAIN),
                        Security.none(),
                        MemoryBudget.unlimited(),
                        () -> List.of(route(queries, clock)))) {
            System.out.println(server.port());
            while (System.in.read() >= 0) {
                // The input is ignored; only its end matters.
            }
        }
    }

    private static Route route(TownQueries queries, Clock clock) {
        Route first = Route.get("/v1/indexes/{index}/entries", Permission.NOTHING, call -> {
            String town = call.queryParams("town").get(0);
            int limit = Integer.parseInt(call.queryParams("limit").get(0));
            call.result(queries.first(town, limit, clock.instant()).toBuffer());
        });
        return first.reading("town", "limit");
    }
}
