package dev.tidemark.deploy.bench;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Java programs that answer what the worker answers, over HTTP and as JSON, from another store.
 *
 * @param wrk asks them; empty where it is not installed, and then nothing runs
 */
record HttpBaselines(Optional<WrkTool> wrk, BaselineCommands commands) {
    private static final String LOCAL = "http://127.0.0.1:";

    /** From PostgreSQL, by a pool of connections. */
    Optional<Contender<Map<Figure, Double>>> postgres(ScenarioContext context) throws Exception {
        Optional<PostgresServer> filled = PostgresBaselines.filled(context);
        if (filled.isEmpty()) {
            return Optional.empty();
        }
        PostgresServer server = filled.get();
        List<String> command = commands.postgres(context.stack(), server.jdbcUrl());
        return Optional.of(contender("PostgreSQL behind Jetty", context, command, server::close));
    }

    /** From the stores of Kafka Streams. */
    Optional<Contender<Map<Figure, Double>>> streams(ScenarioContext context) throws Exception {
        if (!commands.hasStreams(context.stack().installation())) {
            return Optional.empty();
        }
        Path directory = Files.createDirectory(context.stack().directory().resolve("streams"));
        List<String> command = commands.server(context.stack(), directory, "http");
        return Optional.of(contender("Kafka Streams behind Jetty", context, command, () -> {}));
    }

    /** Starts a program, which prints the port that it listens on. */
    private Contender<Map<Figure, Double>> contender(
            String name, ScenarioContext context, List<String> command, Runnable end) throws Exception {
        Path log = context.stack().directory().resolve(name.toLowerCase(Locale.ROOT) + ".log");
        LineProcess process = LineProcess.start(command, log);
        URI url = URI.create(LOCAL + process.line());
        AtomicInteger rounds = new AtomicInteger();
        return new Contender<>(name, () -> wrk.orElseThrow().queries(context, url, rounds.incrementAndGet()), () -> {
            process.close();
            end.run();
        });
    }
}
