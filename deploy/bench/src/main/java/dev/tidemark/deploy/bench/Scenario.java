package dev.tidemark.deploy.bench;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What there is to measure, beside which baseline, and how much of it. */
public enum Scenario {
    PUT("PostgreSQL upsert", """
            Measures durable writes of single rows over HTTP, 64 connections, beside PostgreSQL.
            Writer, broker and worker all run, so each write reaches the index meanwhile. PostgreSQL: INSERT ... ON \
            CONFLICT DO UPDATE into a table with the same index, synchronous_commit=on, pgbench with prepared \
            statements, 64 clients. --rows: rows of the table."""),
    QUERY("PostgreSQL SELECT; PostgreSQL behind Jetty; Kafka Streams behind Jetty", """
            Measures queries for the first 20 entries of a town over HTTP, beside PostgreSQL and Kafka Streams.
            16 connections, then one alone; each query asks for another town. PostgreSQL: the same rows, SELECT ... \
            ORDER BY ... LIMIT 20 over the same index, by pgbench with prepared statements. Behind Jetty: the same \
            answer over HTTP from a Java program, by HikariCP with one prepared statement, or by interactive queries \
            over the four RocksDB stores of Kafka Streams. --rows: rows of the table."""),
    GLOBAL("PostgreSQL SELECT; PostgreSQL behind Jetty; Kafka Streams behind Jetty", """
            Measures the queries of bench query by an index that is partitioned by its own key.
            As bench query, but the index is global, so that each query asks one of its four partitions. --rows: rows \
            of the table."""),
    PLACEMENTS("as many local indexes", """
            Measures what global indexes cost beside as many local ones.
            Tables with 0, 1 and 4 indexes in one stack; one table works at a time. Global indexes are in the column \
            of Tidemark, local ones in that of the other; without an index both are the same. Bulk loads bring new \
            rows. Single PUTs over one connection give rows other keys. Bytes are those of one change: in the outbox \
            before compression, in all topics of the table as the broker stores them, compressed and with heartbeats. \
            The index that is built holds whole rows. --rows: rows of a bulk load, and of the table over which an \
            index is built."""),
    BULK("PostgreSQL COPY", """
            Measures a bulk load of new rows in one request, durable, beside PostgreSQL.
            Tidemark: one NDJSON request, until it is answered; its events are then in the outbox, and the worker \
            follows meanwhile. PostgreSQL: COPY into a table with the same index. Both tables grow. --rows: rows a \
            round."""),
    FACTS("fact tables in RocksDB", """
            Measures a writer with fact tables in PostgreSQL beside one with fact tables in RocksDB.
            Two stacks, each with a broker, a writer and a worker; one works at a time. PostgreSQL is a child of its \
            stack with the settings that initdb gives it. Durable writes of single rows, one bulk load, and how long \
            a change takes until queries find it. --rows: rows of the table, and of a bulk load."""),
    RESTART("Kafka Streams, exactly_once_v2", """
            Measures how long an index answers nothing when its process is killed, beside Kafka Streams.
            From the start of the new process until it gives an answer. Kafka Streams: a store with the same entries, \
            a static member of its group, until a key can be read from all of it. --rows, --entries: entries of the \
            index."""),
    JOIN("Kafka Streams, exactly_once_v2", """
            Measures how soon a new worker has caught up with a full topic, beside Kafka Streams.
            From the start of the process, in an empty directory, until it has applied everything: what it takes to \
            start is in it. Once by the topic, and once beside a worker of another replica group that has the shards. \
            --rows: changes in the topic, over 200,000 rows."""),
    CLIENTS("the same without slow clients", """
            Measures how fast other clients are answered beside 400 slow clients of each service.
            Slow clients send a byte every 0.3 s, or read as slowly, on paths that exist and others. Meanwhile one \
            client asks whether both services are alive, writes a row and queries 20 entries, in turn. --rows: rows \
            of the table.""");

    private final String baseline;
    private final String description;

    Scenario(String baseline, String description) {
        this.baseline = baseline;
        this.description = description;
    }

    /** The name on the command line and in reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** The baselines, for tables. */
    public List<String> baselines() {
        return List.of(baseline.split("; ", -1));
    }

    /** What it is, in the first line, and how it is measured, in the second. */
    String description() {
        return description;
    }

    /** The number of connections that are busy all the time. */
    public int connections() {
        return this == PUT ? 64 : 16;
    }

    /** The text of the catalog; empty for that of the benchmarks. */
    String catalog() {
        return switch (this) {
            case GLOBAL -> PlacementsSuite.catalog(1);
            case PLACEMENTS -> PlacementsSuite.catalog();
            default -> "";
        };
    }

    /** Settings of the worker besides its usual ones. */
    Map<String, String> workerSettings() {
        // A static member keeps its place for some seconds after it has ended, and the next member waits for it.
        return this == JOIN ? Map.of("group.instance.id", "none") : Map.of();
    }

    /** What comes out of each round. */
    List<Figure> figures() {
        return switch (this) {
            case PUT -> List.of(Figure.PUT);
            case QUERY, GLOBAL ->
                List.of(Figure.QUERY, Figure.QUERY_P99, Figure.QUERY_ALONE_P50, Figure.QUERY_ALONE_P99);
            case PLACEMENTS -> List.copyOf(EnumSet.range(Figure.LOAD_0, Figure.BUILT));
            case BULK -> List.of(Figure.BULK);
            case FACTS ->
                List.of(
                        Figure.PUT,
                        Figure.BULK,
                        Figure.VISIBLE_CALM,
                        Figure.VISIBLE_CALM_P99,
                        Figure.VISIBLE,
                        Figure.VISIBLE_P99);
            case RESTART -> List.of(Figure.RESTART);
            case JOIN -> List.of(Figure.JOIN, Figure.JOIN_COPY);
            case CLIENTS -> List.of(Figure.CLIENTS_HEALTH, Figure.CLIENTS_PUT, Figure.CLIENTS_QUERY);
        };
    }

    /** A small size, or the one whose medians count; 1 s stands for rounds that last as long as their work. */
    ScenarioSize size(boolean small) {
        return switch (this) {
            case PUT, QUERY, GLOBAL -> small ? new ScenarioSize(2, 1, 1, 30_000) : new ScenarioSize(5, 5, 8, 200_000);
            case PLACEMENTS -> small ? new ScenarioSize(2, 1, 1, 10_000) : new ScenarioSize(5, 1, 8, 100_000);
            case BULK -> small ? new ScenarioSize(2, 1, 1, 50_000) : new ScenarioSize(5, 1, 1, 300_000);
            case FACTS -> small ? new ScenarioSize(2, 1, 1, 30_000) : new ScenarioSize(5, 2, 5, 100_000);
            case RESTART -> small ? new ScenarioSize(1, 0, 1, 100_000) : new ScenarioSize(5, 0, 1, 10_000_000);
            case JOIN -> small ? new ScenarioSize(1, 0, 1, 200_000) : new ScenarioSize(5, 0, 1, 1_000_000);
            case CLIENTS -> small ? new ScenarioSize(2, 1, 3, 30_000) : new ScenarioSize(5, 1, 8, 200_000);
        };
    }

    /**
     * How much is run.
     *
     * @param rounds of each, from 1
     * @param warmUps rounds before them, which do not count
     * @param time of a round, where a round lasts for a time
     * @param rows that are worked on, from 1; the scenario gives their kind
     */
    public record ScenarioSize(int rounds, int warmUps, Duration time, int rows) {
        public ScenarioSize {
            if (rounds < 1 || warmUps < 0 || rows < 1 || time.toSeconds() < 1) {
                throw new IllegalArgumentException(
                        "Expected rounds and rows of at least 1 and a time of at least 1 s, but got " + rounds + ", "
                                + rows
                                + " and "
                                + BigDecimal.valueOf(time.toMillis(), 3)
                                        .stripTrailingZeros()
                                        .toPlainString() + " s");
            }
        }

        /** The time of the part of a round that has one connection. */
        Duration timeAlone() {
            return Duration.ofSeconds(Math.max(1, time.toSeconds() / 2));
        }

        /** A size whose time is in seconds. */
        ScenarioSize(int rounds, int warmUps, int seconds, int rows) {
            this(rounds, warmUps, Duration.ofSeconds(seconds), rows);
        }
    }
}
