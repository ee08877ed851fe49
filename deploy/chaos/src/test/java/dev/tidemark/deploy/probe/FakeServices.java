package dev.tidemark.deploy.probe;

import java.net.ConnectException;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.CatalogException;
import dev.tidemark.catalog.CatalogReader;
import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.deploy.target.ServiceCaller.Reply;
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.SteadyClock;

/**
 * A writer and a worker in memory, with the table {@code canary}. Its index follows at once unless it is stuck, and
 * what it says about that is true unless it lies.
 */
public final class FakeServices {
    private static final String CATALOG = "tables: {canary: {primaryKey: id, partitions: 4, indexes:"
            + " {by_id: {key: [id], projection: [value]}}}}";

    private final SteadyClock clock = new SteadyClock();
    private final Map<String, RowVersion> rows = new HashMap<>();
    private Map<String, RowVersion> frozen = Map.of();
    private Instant firstMissing = Instant.MAX;
    private boolean stuck;
    private long sequence;

    /** Whether the services say that all is well while it is not. */
    public final AtomicBoolean lying = new AtomicBoolean();

    /** Whether the worker answers nothing. */
    public final AtomicBoolean workerGone = new AtomicBoolean();

    /** Whether the writer answers nothing. */
    public final AtomicBoolean writerGone = new AtomicBoolean();

    /** The status of answers to writes, which are done only where it is 200. */
    public volatile int writeStatus = 200;

    /** How much the writer's clock is ahead of everybody else's. */
    public volatile Duration writerAhead = Duration.ZERO;

    /** Keeps the index as it is, or lets it follow again. */
    public synchronized void stick(boolean now) {
        frozen = Map.copyOf(rows);
        firstMissing = Instant.MAX;
        stuck = now;
    }

    /** Rows that there are. */
    public synchronized int rows() {
        return rows.size();
    }

    /** Both services, as a prober calls them. */
    public ProbeTarget target() {
        return new ProbeTarget(
                (method, path, headers, body) -> writer(method, path),
                List.of((method, path, headers, body) -> worker(path)));
    }

    private synchronized Reply writer(String method, String path) throws ConnectException {
        requireThere(writerGone);
        String key = path.substring(path.lastIndexOf('/') + 1);
        return switch (method) {
            case "PUT" -> new Reply(writeStatus, writeStatus == 200 ? put(key).toString() : "{}");
            case "DELETE" -> {
                rows.remove(key);
                yield new Reply(204, "");
            }
            default ->
                switch (path) {
                    case "/v1/tables" -> new Reply(200, tables().toString());
                    case "/v1/clock" ->
                        new Reply(200, "{\"now\":\"" + clock.instant().plus(writerAhead) + "\"}");
                    case "/metrics" -> new Reply(200, freshness());
                    default -> new Reply(404, "");
                };
        };
    }

    private synchronized Reply worker(String path) throws ConnectException {
        requireThere(workerGone);
        return switch (path) {
            case "/v1/lag" -> new Reply(200, lag().toString());
            case "/v1/indexes/canary.by_id" -> new Reply(200, "{\"partitions\":4}");
            case "/metrics" -> new Reply(200, metrics());
            default -> new Reply(200, entries().toString());
        };
    }

    private static JsonNode tables() {
        try {
            Catalog catalog = CatalogReader.read("fake", CATALOG);
            ObjectNode answer = JsonNodeFactory.instance.objectNode();
            answer.putArray("tables")
                    .add(DefinitionJson.of(catalog.table("canary").orElseThrow()));
            return answer;
        } catch (CatalogException e) {
            throw new AssertionError(e);
        }
    }

    private JsonNode put(String key) {
        sequence++;
        RowVersion version = new RowVersion(1, sequence);
        rows.put(key, version);
        if (stuck && firstMissing.equals(Instant.MAX)) {
            firstMissing = clock.instant();
        }
        return JsonNodeFactory.instance.objectNode().put("version", version.toString());
    }

    private JsonNode entries() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        var entries = answer.putArray("entries");
        (stuck ? frozen : rows)
                .forEach((key, version) ->
                        entries.addObject().put("primaryKey", key).put("version", version.toString()));
        answer.putObject("freshness")
                .put("stalenessMs", Math.round(staleness() * 1e3))
                .put(
                        "completeUpTo",
                        clock.instant()
                                .plus(writerAhead)
                                .minusNanos((long) (staleness() * 1e9) + 1)
                                .toString());
        return answer;
    }

    private JsonNode lag() {
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putArray("indexes")
                .addObject()
                .put("index", "by_id")
                .put("table", "canary")
                .put("freshnessSeconds", staleness());
        return answer;
    }

    private String metrics() {
        StringBuilder text = new StringBuilder(freshness());
        for (int partition = 0; partition < 4; partition++) {
            text.append("tidemark_index_lag_seconds{index=\"by_id\",partition=\"")
                    .append(partition)
                    .append("\",table=\"canary\"} ")
                    .append(staleness())
                    .append('\n');
        }
        return text.toString();
    }

    private String freshness() {
        return String.format(
                Locale.ROOT, "tidemark_index_freshness_seconds{index=\"by_id\",table=\"canary\"} %.9f%n", staleness());
    }

    private double staleness() {
        Instant now = clock.instant();
        return lying.get() || firstMissing.isAfter(now)
                ? 0
                : Duration.between(firstMissing, now).toNanos() / 1e9;
    }

    private static void requireThere(AtomicBoolean gone) throws ConnectException {
        if (gone.get()) {
            throw new ConnectException("gone");
        }
    }
}
