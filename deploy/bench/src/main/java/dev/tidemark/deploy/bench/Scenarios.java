package dev.tidemark.deploy.bench;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

import dev.tidemark.deploy.bench.Scenario.ScenarioBaseline;
import dev.tidemark.deploy.bench.Scenario.ScenarioSize;
import dev.tidemark.deploy.bench.WrkTool.Requests;
import dev.tidemark.deploy.stack.PostgresPrograms;
import dev.tidemark.deploy.stack.Role;

/**
 * The scenarios: what there is to measure, beside which baselines, and how much of it.
 *
 * @param searchPath directories that may hold wrk, like the value of {@code PATH}
 * @param commands start the baselines
 * @param outbox returns the bytes of each change in the outbox of a backup, in commit order
 */
public record Scenarios(String searchPath, BaselineCommands commands, Function<Path, List<Integer>> outbox) {
    private static final Duration VISIBILITY_TIME = Duration.ofSeconds(5);
    private static final String NEEDS_NOTHING = "it needs nothing";

    /** Their commands and measurements. */
    public List<Benchmark> benchmarks() {
        return all().stream().map(ScenarioBenchmark::benchmark).toList();
    }

    List<Scenario> all() {
        return List.of(put(), query(), global(), placements(), bulk(), facts(), restart(), join(), clients());
    }

    private Scenario put() {
        return new Scenario(
                "put",
                """
                Measures durable writes of single rows over HTTP, 64 connections, beside PostgreSQL.
                Writer, broker and worker all run, so each write reaches the index meanwhile. PostgreSQL: INSERT ... ON \
                CONFLICT DO UPDATE into a table with the same index, synchronous_commit=on, pgbench with prepared \
                statements, 64 clients. --rows: rows of the table.""",
                List.of(Figure.PUT),
                new ScenarioSize(2, 1, 1, 30_000),
                new ScenarioSize(5, 5, 8, 200_000),
                new Scenario.Setup(noWrk(), ""),
                context -> wrk().contender(Requests.PUT, context),
                List.of(new ScenarioBaseline(
                        "PostgreSQL upsert",
                        ScenarioBaseline.POSTGRES_REMEDY,
                        context -> PostgresBaselines.pgbench(Requests.PUT, context))));
    }

    private Scenario query() {
        return queries("query", "", """
                Measures queries for the first 20 entries of a town over HTTP, beside PostgreSQL and Kafka Streams.
                16 connections, then one alone; each query asks for another town. PostgreSQL: the same rows, SELECT ... \
                ORDER BY ... LIMIT 20 over the same index, by pgbench with prepared statements. Behind Jetty: the same \
                answer over HTTP from a Java program, by HikariCP with one prepared statement, or by interactive queries \
                over the four RocksDB stores of Kafka Streams. --rows: rows of the table.""");
    }

    private Scenario global() {
        return queries("global", PlacementsSuite.catalog(1), """
                Measures the queries of bench query by an index that is partitioned by its own key.
                As bench query, but the index is global, so that each query asks one of its four partitions. --rows: rows \
                of the table.""");
    }

    private Scenario queries(String name, String catalog, String description) {
        return new Scenario(
                name,
                description,
                List.of(Figure.QUERY, Figure.QUERY_P99, Figure.QUERY_ALONE_P50, Figure.QUERY_ALONE_P99),
                new ScenarioSize(2, 1, 1, 30_000),
                new ScenarioSize(5, 5, 8, 200_000),
                new Scenario.Setup(noWrk(), catalog),
                context -> wrk().contender(Requests.QUERY, context),
                List.of(
                        new ScenarioBaseline(
                                "PostgreSQL SELECT",
                                ScenarioBaseline.POSTGRES_REMEDY,
                                context -> PostgresBaselines.pgbench(Requests.QUERY, context)),
                        new ScenarioBaseline(
                                "PostgreSQL behind Jetty",
                                ScenarioBaseline.POSTGRES_REMEDY,
                                context -> commands.postgresBehindJetty(wrk(), context)),
                        new ScenarioBaseline(
                                "Kafka Streams behind Jetty",
                                BaselineCommands.REMEDY,
                                context -> commands.streamsBehindJetty(wrk(), context))));
    }

    private Scenario placements() {
        return new Scenario(
                "placements",
                """
                Measures what global indexes cost beside as many local ones.
                Tables with 0, 1 and 4 indexes in one stack; one table works at a time. Global indexes are in the column \
                of Tidemark, local ones in that of the other; without an index both are the same. Bulk loads bring new \
                rows. Single PUTs over one connection give rows other keys. Bytes are those of one change: in the outbox \
                before compression, in all topics of the table as the broker stores them, compressed and with heartbeats. \
                The index that is built holds whole rows. --rows: rows of a bulk load, and of the table over which an \
                index is built.""",
                PlacementsSuite.figures(),
                new ScenarioSize(2, 1, 1, 10_000),
                new ScenarioSize(5, 1, 8, 100_000),
                new Scenario.Setup(Optional.empty(), PlacementsSuite.catalog()),
                context -> PlacementsSuite.global(context, outbox),
                List.of(new ScenarioBaseline(
                        "as many local indexes",
                        NEEDS_NOTHING,
                        context -> Optional.of(PlacementsSuite.local(context, outbox)))));
    }

    private static Scenario bulk() {
        return new Scenario(
                "bulk",
                """
                Measures a bulk load of new rows in one request, durable, beside PostgreSQL.
                Tidemark: one NDJSON request, until it is answered; its events are then in the outbox, and the worker \
                follows meanwhile. PostgreSQL: COPY into a table with the same index. Both tables grow. --rows: rows a \
                round.""",
                List.of(Figure.BULK),
                new ScenarioSize(2, 1, 1, 50_000),
                new ScenarioSize(5, 1, 1, 300_000),
                Scenario.Setup.USUAL,
                RequestSuites::bulk,
                List.of(new ScenarioBaseline(
                        "PostgreSQL COPY", ScenarioBaseline.POSTGRES_REMEDY, PostgresBaselines::copy)));
    }

    private Scenario facts() {
        Optional<String> noServer = PostgresPrograms.find(System.getenv()).isPresent()
                ? Optional.empty()
                : Optional.of(ScenarioBaseline.POSTGRES_REMEDY);
        return new Scenario(
                "facts",
                """
                Measures a writer with fact tables in PostgreSQL beside one with fact tables in RocksDB.
                Two stacks, each with a broker, a writer and a worker; one works at a time. PostgreSQL is a child of its \
                stack with the settings that initdb gives it. Durable writes of single rows, one bulk load, and how long \
                a change takes until queries find it. --rows: rows of the table, and of a bulk load.""",
                List.of(
                        Figure.PUT,
                        Figure.BULK,
                        Figure.VISIBLE_CALM,
                        Figure.VISIBLE_CALM_P99,
                        Figure.VISIBLE,
                        Figure.VISIBLE_P99),
                new ScenarioSize(2, 1, 1, 30_000),
                new ScenarioSize(5, 2, 5, 100_000),
                new Scenario.Setup(noServer.or(this::noWrk), ""),
                context -> facts(context.withFactsInPostgres()),
                List.of(new ScenarioBaseline(
                        "fact tables in RocksDB",
                        ScenarioBaseline.POSTGRES_REMEDY,
                        context -> Optional.of(facts(context)))));
    }

    private Contender facts(ScenarioContext context) throws Exception {
        Contender puts = wrk().contender(Requests.PUT, context);
        Contender loads = RequestSuites.bulk(context);
        TidemarkLoop loop =
                new TidemarkLoop(context.stack().tidemark(), context.stack().clock());
        return () -> {
            Map<Figure, Double> found = new HashMap<>(puts.run());
            found.putAll(loads.run());
            found.putAll(loop.visibility(VISIBILITY_TIME));
            return found;
        };
    }

    private Scenario restart() {
        return new Scenario(
                "restart",
                """
                Measures how long an index answers nothing when its process is killed, beside Kafka Streams.
                From the start of the new process until it gives an answer. Kafka Streams: a store with the same entries, \
                a static member of its group, until a key can be read from all of it. --rows, --entries: entries of the \
                index.""",
                List.of(Figure.RESTART),
                new ScenarioSize(1, 0, 1, 100_000),
                new ScenarioSize(5, 0, 1, 10_000_000),
                Scenario.Setup.USUAL,
                WorkerSuites::restart,
                List.of(streams(context -> WorkerSuites.restartOfStreams(context, commands))));
    }

    private Scenario join() {
        return new Scenario(
                "join",
                """
                Measures how soon a new worker has caught up with a full topic, beside Kafka Streams.
                From the start of the process, in an empty directory, until it has applied everything: what it takes to \
                start is in it. Once by the topic, and once beside a worker of another replica group that has the shards. \
                --rows: changes in the topic, over 200,000 rows.""",
                List.of(Figure.JOIN, Figure.JOIN_COPY),
                new ScenarioSize(1, 0, 1, 200_000),
                new ScenarioSize(5, 0, 1, 1_000_000),
                // A static member keeps its place for some seconds after it has ended, and the next one waits for it.
                new Scenario.Setup(Optional.empty(), "", all -> all.with(Role.WORKER, "group.instance.id", "none")),
                WorkerSuites::join,
                List.of(streams(context -> WorkerSuites.joinOfStreams(context, commands))));
    }

    private static ScenarioBaseline streams(Scenario.BaselineMaker maker) {
        return new ScenarioBaseline("Kafka Streams, exactly_once_v2", BaselineCommands.REMEDY, maker);
    }

    private static Scenario clients() {
        return new Scenario(
                "clients",
                """
                Measures how fast other clients are answered beside 400 slow clients of each service.
                Slow clients send a byte every 0.3 s, or read as slowly, on paths that exist and others. Meanwhile one \
                client asks whether both services are alive, writes a row and queries 20 entries, in turn. --rows: rows \
                of the table.""",
                List.of(Figure.CLIENTS_HEALTH, Figure.CLIENTS_PUT, Figure.CLIENTS_QUERY),
                new ScenarioSize(2, 1, 3, 30_000),
                new ScenarioSize(5, 1, 8, 200_000),
                Scenario.Setup.USUAL,
                RequestSuites::besideSlowClients,
                List.of(new ScenarioBaseline(
                        "the same without slow clients",
                        NEEDS_NOTHING,
                        context -> Optional.of(RequestSuites.alone(context)))));
    }

    private WrkTool wrk() {
        return WrkTool.on(searchPath).orElseThrow();
    }

    private Optional<String> noWrk() {
        return WrkTool.on(searchPath).isPresent() ? Optional.empty() : Optional.of(WrkTool.REMEDY);
    }
}
