package dev.tidemark.deploy.probe;

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
import dev.tidemark.row.RowVersion;
import dev.tidemark.runtime.SteadyClock;

/**
 * A writer and a worker in memory, with the table {@code canary}. Its index follows at once unless it is stuck, and
 * what it says about that is true unless it lies.
 */
public final class FakeServices implements ProbeTarget, WorkerTarget {
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

    @Override
    public JsonNode tables() throws NoAnswerException {
        requireThere(writerGone);
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

    @Override
    public synchronized RowVersion put(String table, List<String> key, ObjectNode row) throws NoAnswerException {
        requireThere(writerGone);
        sequence++;
        RowVersion version = new RowVersion(1, sequence);
        rows.put(key.get(0), version);
        if (stuck && firstMissing.equals(Instant.MAX)) {
            firstMissing = clock.instant();
        }
        return version;
    }

    @Override
    public synchronized void delete(String table, List<String> key) throws NoAnswerException {
        requireThere(writerGone);
        rows.remove(key.get(0));
    }

    @Override
    public synchronized JsonNode query(String index, Map<String, String> parameters) throws NoAnswerException {
        requireThere(workerGone);
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

    @Override
    public synchronized JsonNode lag() throws NoAnswerException {
        requireThere(workerGone);
        ObjectNode answer = JsonNodeFactory.instance.objectNode();
        answer.putArray("indexes")
                .addObject()
                .put("index", "by_id")
                .put("table", "canary")
                .put("freshnessSeconds", staleness());
        return answer;
    }

    @Override
    public synchronized String metrics() throws NoAnswerException {
        requireThere(workerGone);
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

    @Override
    public synchronized String writerMetrics() throws NoAnswerException {
        requireThere(writerGone);
        return freshness();
    }

    @Override
    public Instant commitClock() throws NoAnswerException {
        requireThere(writerGone);
        return clock.instant().plus(writerAhead);
    }

    @Override
    public List<WorkerTarget> workers() {
        return List.of(this);
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

    private static void requireThere(AtomicBoolean gone) throws NoAnswerException {
        if (gone.get()) {
            throw new NoAnswerException("gone", true);
        }
    }
}
