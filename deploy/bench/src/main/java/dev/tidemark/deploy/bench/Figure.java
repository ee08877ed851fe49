package dev.tidemark.deploy.bench;

import java.util.Comparator;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * A number that comes out of each round.
 *
 * @param key the name for programs
 * @param label what is measured, for tables
 */
public record Figure(String key, String label, String unit) {
    static final Figure PUT = new Figure("put", "durable single-row PUT, 64 connections", "rows/s");
    static final Figure QUERY = new Figure("query", "first 20 entries of a town, 16 connections", "answers/s");
    static final Figure QUERY_P99 = new Figure("query_p99", "first 20 entries of a town, 99th percentile", "ms");
    static final Figure QUERY_ALONE_P50 = new Figure("query_alone_p50", "the same, one connection alone, median", "ms");
    static final Figure QUERY_ALONE_P99 =
            new Figure("query_alone_p99", "the same, one connection alone, 99th percentile", "ms");
    static final Figure BULK = new Figure("bulk", "bulk load, one connection", "rows/s");
    static final Figure VISIBLE_CALM =
            new Figure("visible_calm", "commit until a query finds it, 300 changes/s, median", "ms");
    static final Figure VISIBLE_CALM_P99 =
            new Figure("visible_calm_p99", "commit until a query finds it, 300 changes/s, 99th percentile", "ms");
    static final Figure VISIBLE = new Figure("visible", "commit until a query finds it, 1,000 changes/s, median", "ms");
    static final Figure VISIBLE_P99 =
            new Figure("visible_p99", "commit until a query finds it, 1,000 changes/s, 99th percentile", "ms");
    static final Figure BUILT = new Figure("built", "building an index, until it is ready", "s");
    static final Figure RESTART = new Figure("restart", "restart after kill -9, until an answer", "s");
    static final Figure JOIN =
            new Figure("join", "a new worker that reads the topic, from its start to caught up", "changes/s");
    static final Figure JOIN_COPY = new Figure(
            "join_copy", "a new worker that takes shards from another, from its start to caught up", "changes/s");
    static final Figure CLIENTS_HEALTH =
            new Figure("clients_health", "liveness beside slow clients, 99th percentile", "ms");
    static final Figure CLIENTS_PUT =
            new Figure("clients_put", "single-row PUT beside slow clients, 99th percentile", "ms");
    static final Figure CLIENTS_QUERY =
            new Figure("clients_query", "first 20 entries beside slow clients, 99th percentile", "ms");

    /** Changes that a worker or a baseline applies in a second. */
    static final Figure FOLLOWED = new Figure("followed", "following a topic", "changes/s");

    private static final double EXACT_BELOW = 100;

    /** All figures of a round with their units, for a progress line. */
    static String text(Map<Figure, Double> round) {
        return round.entrySet().stream()
                .sorted(Comparator.comparing(each -> each.getKey().key()))
                .map(each -> each.getKey().number(each.getValue()) + " "
                        + each.getKey().unit())
                .collect(Collectors.joining(" "));
    }

    /** A number of this kind, without its unit. */
    String number(double value) {
        return value < EXACT_BELOW ? Numbers.hundredths(value) : Numbers.whole(value);
    }
}
