package dev.tidemark.deploy.bench.scenario;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What there is to measure, beside whom, and how much of it. */
public enum Scenario {
    PUT(
            "PostgreSQL upsert",
            "Measures durable writes of single rows over HTTP, 64 connections, beside PostgreSQL.",
            "Writer, broker and worker all run, so each write reaches the index meanwhile. PostgreSQL: INSERT ... ON CONFLICT"
                    + " DO UPDATE into a table with the same index, synchronous_commit=on, pgbench with prepared statements,"
                    + " 64 clients. --rows: rows of the table."),
    QUERY(
            "PostgreSQL SELECT",
            "Measures queries for the first 20 entries of a town over HTTP, 16 connections, beside PostgreSQL.",
            "PostgreSQL: the same rows, SELECT ... ORDER BY ... LIMIT 20 over the same index, pgbench with prepared statements,"
                    + " 16 clients. Each query asks for another town. --rows: rows of the table."),
    BULK(
            "PostgreSQL COPY",
            "Measures a bulk load of new rows in one request, durable, beside PostgreSQL.",
            "Tidemark: one NDJSON request, until it is answered; its events are then in the outbox, and the worker follows"
                    + " meanwhile. PostgreSQL: COPY into a table with the same index. Both tables grow. --rows: rows a round."),
    RESTART(
            "Kafka Streams, exactly_once_v2",
            "Measures how long an index answers nothing when its process is killed, beside Kafka Streams.",
            "From the start of the new process until it gives an answer. Kafka Streams: a store with the same entries, a"
                    + " static member of its group, until a key can be read from all of it. --rows, --entries: entries of the"
                    + " index."),
    JOIN(
            "Kafka Streams, exactly_once_v2",
            "Measures how soon a new worker has caught up with a full topic, beside Kafka Streams.",
            "From the start of the process, in an empty directory, until it has applied everything: what it takes to start is in"
                    + " it. --rows: changes in the topic, over 200,000 rows."),
    CLIENTS(
            "the same without slow clients",
            "Measures how fast everybody else is answered beside 400 slow clients of each service.",
            "Slow clients send a byte every 0.3 s, or read as slowly, on paths that exist and others. Meanwhile one client asks"
                    + " whether both services are alive, writes a row and queries 20 entries, in turn. --rows: rows of the"
                    + " table.");

    /** Its rounds last as long as their work does. */
    private static final Duration NO_TIME = Duration.ofSeconds(1);

    private final String peer;
    private final String summary;
    private final String details;

    Scenario(String peer, String summary, String details) {
        this.peer = peer;
        this.summary = summary;
        this.details = details;
    }

    /** The name on the command line and in reports. */
    public String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** Beside what, for tables. */
    public String peer() {
        return peer;
    }

    /** What it is, in one sentence. */
    public String summary() {
        return summary;
    }

    /** How it is measured. */
    public String details() {
        return details;
    }

    /** Settings of the worker besides its usual ones. */
    Map<String, String> workerSettings() {
        // A static member keeps its place for some seconds after it has ended, and the next member waits for it.
        return this == JOIN ? Map.of("group.instance.id", "none") : Map.of();
    }

    /** What comes out of each round. */
    public List<Figure> figures() {
        return switch (this) {
            case PUT -> List.of(Figure.PUT);
            case QUERY -> List.of(Figure.QUERY, Figure.QUERY_P99);
            case BULK -> List.of(Figure.BULK);
            case RESTART -> List.of(Figure.RESTART);
            case JOIN -> List.of(Figure.JOIN);
            case CLIENTS -> List.of(Figure.CLIENTS_HEALTH, Figure.CLIENTS_PUT, Figure.CLIENTS_QUERY);
        };
    }

    /** The size whose medians count. */
    public ScenarioSize usual() {
        return switch (this) {
            case PUT, QUERY -> new ScenarioSize(5, 5, Duration.ofSeconds(8), 200_000);
            case BULK -> new ScenarioSize(5, 1, NO_TIME, 300_000);
            case RESTART -> new ScenarioSize(5, 0, NO_TIME, 10_000_000);
            case JOIN -> new ScenarioSize(5, 0, NO_TIME, 1_000_000);
            case CLIENTS -> new ScenarioSize(5, 1, Duration.ofSeconds(8), 200_000);
        };
    }

    /** A size for a look. */
    public ScenarioSize quick() {
        return switch (this) {
            case PUT, QUERY -> new ScenarioSize(2, 1, Duration.ofSeconds(1), 30_000);
            case BULK -> new ScenarioSize(2, 1, NO_TIME, 50_000);
            case RESTART -> new ScenarioSize(1, 0, NO_TIME, 100_000);
            case JOIN -> new ScenarioSize(1, 0, NO_TIME, 200_000);
            case CLIENTS -> new ScenarioSize(2, 1, Duration.ofSeconds(3), 30_000);
        };
    }
}
