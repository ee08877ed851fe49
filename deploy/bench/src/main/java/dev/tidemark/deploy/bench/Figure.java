package dev.tidemark.deploy.bench;

import java.util.Locale;

/** A number that comes out of each round. */
public enum Figure {
    PUT("durable single-row PUT, 64 connections", "rows/s"),
    QUERY("first 20 entries of a town, 16 connections", "answers/s"),
    QUERY_P99("first 20 entries of a town, 99th percentile", "ms"),
    QUERY_ALONE_P50("the same, one connection alone, median", "ms"),
    QUERY_ALONE_P99("the same, one connection alone, 99th percentile", "ms"),
    BULK("bulk load, one connection", "rows/s"),
    LOAD_0("no index: bulk load of new rows", "rows/s"),
    LOAD_1("1 index: bulk load of new rows", "rows/s"),
    LOAD_4("4 indexes: bulk load of new rows", "rows/s"),
    PUT_0("no index: single-row PUT of another key, one connection, median", "ms"),
    PUT_1("1 index: single-row PUT of another key, one connection, median", "ms"),
    PUT_4("4 indexes: single-row PUT of another key, one connection, median", "ms"),
    OUTBOX_NEW_0("no index: outbox, a new row", "bytes"),
    OUTBOX_NEW_1("1 index: outbox, a new row", "bytes"),
    OUTBOX_NEW_4("4 indexes: outbox, a new row", "bytes"),
    TOPICS_NEW_0("no index: topics, a new row of a bulk load", "bytes"),
    TOPICS_NEW_1("1 index: topics, a new row of a bulk load", "bytes"),
    TOPICS_NEW_4("4 indexes: topics, a new row of a bulk load", "bytes"),
    OUTBOX_MOVED_0("no index: outbox, a row with another key", "bytes"),
    OUTBOX_MOVED_1("1 index: outbox, a row with another key", "bytes"),
    OUTBOX_MOVED_4("4 indexes: outbox, a row with another key", "bytes"),
    TOPICS_MOVED_0("no index: topics, a row with another key, one connection", "bytes"),
    TOPICS_MOVED_1("1 index: topics, a row with another key, one connection", "bytes"),
    TOPICS_MOVED_4("4 indexes: topics, a row with another key, one connection", "bytes"),
    VISIBLE_CALM("commit until a query finds it, 300 changes/s, median", "ms"),
    VISIBLE_CALM_P99("commit until a query finds it, 300 changes/s, 99th percentile", "ms"),
    VISIBLE("commit until a query finds it, 1,000 changes/s, median", "ms"),
    VISIBLE_P99("commit until a query finds it, 1,000 changes/s, 99th percentile", "ms"),
    BUILT("building an index, until it is ready", "s"),
    RESTART("restart after kill -9, until an answer", "s"),
    JOIN("a new worker that reads the topic, from its start to caught up", "changes/s"),
    JOIN_COPY("a new worker that takes shards from another, from its start to caught up", "changes/s"),
    CLIENTS_HEALTH("liveness beside slow clients, 99th percentile", "ms"),
    CLIENTS_PUT("single-row PUT beside slow clients, 99th percentile", "ms"),
    CLIENTS_QUERY("first 20 entries beside slow clients, 99th percentile", "ms");

    private static final double EXACT_BELOW = 100;

    private final String label;
    private final String unit;

    Figure(String label, String unit) {
        this.label = label;
        this.unit = unit;
    }

    /** What is measured, for tables. */
    public String label() {
        return label;
    }

    public String unit() {
        return unit;
    }

    /** A number of this kind, with its unit. */
    public String text(double value) {
        return number(value) + " " + unit;
    }

    /** Without the unit. */
    String number(double value) {
        return String.format(Locale.ROOT, value < EXACT_BELOW ? "%.2f" : "%,.0f", value);
    }

    /** The name for programs. */
    public String key() {
        return name().toLowerCase(Locale.ROOT);
    }
}
