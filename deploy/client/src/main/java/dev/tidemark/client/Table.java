package dev.tidemark.client;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;

import dev.tidemark.client.TidemarkException.NotFound;

/**
 * A fact table. The key of a row is a text, a number or a boolean, or the {@link List} of the parts of a composite key.
 * {@link Row#key()} and {@link Entry#primaryKey()} are keys, too.
 *
 * @param <T> type of the rows
 */
public final class Table<T> {
    private static final String JSON = "application/json";

    private final Session session;
    private final Class<T> type;
    private final String name;
    private final String rows;

    /** Most rows of a page of a scan; less where the service allows less. */
    private volatile int pageSize = 1_000;

    Table(Session session, String name, Class<T> type) {
        this.session = session;
        this.type = type;
        this.name = name;
        this.rows = "/v1/tables/" + Request.encoded(name) + "/rows";
    }

    /**
     * Reads a row from the fact table.
     *
     * @return empty where there is no such row
     * @throws NotFound when there is no such table
     */
    public Optional<Row<T>> get(Object key) {
        return lookup(List.of(key)).get(0);
    }

    /**
     * Reads rows by their keys.
     *
     * @param keys at most 1,000
     * @return in the order of the keys; empty where there is no such row
     */
    public List<Optional<Row<T>>> lookup(List<?> keys) {
        byte[] body = session.json(Map.of("keys", keys));
        JsonNode answer = session.writer()
                .send(Request.write("POST", rows + ":lookup").with(JSON, body).asRead());
        List<Optional<Row<T>>> found = new ArrayList<>();
        answer.path("rows").forEach(row -> found.add(row.isNull() ? Optional.empty() : Optional.of(row(row))));
        return found;
    }

    /** Inserts or replaces a row. */
    public Written put(Object key, T row) {
        return put(key, row, Condition.none());
    }

    /**
     * Inserts or replaces a row if a condition holds.
     *
     * @param row holds the same key
     * @throws TidemarkException.ConditionFailed when it does not hold
     * @throws TidemarkException.InvalidRequest when the row is no row of the table, or an index cannot hold it
     * @throws TidemarkException.OutcomeUnknown when the write may have been done
     */
    public Written put(Object key, T row, Condition condition) {
        return write(Request.write("PUT", path(key)).with(JSON, session.json(row)), condition);
    }

    /** Changes fields of a row. */
    public Written patch(Object key, Object fields) {
        return patch(key, fields, Condition.none());
    }

    /**
     * Changes fields of a row if a condition holds, by a JSON merge patch (RFC 7396).
     *
     * @param fields a map or an object with the new values; null removes a field
     * @throws NotFound when there is no such row
     * @throws TidemarkException.ConditionFailed as {@link #put(Object, Object, Condition)}, as other failures
     */
    public Written patch(Object key, Object fields, Condition condition) {
        byte[] body = session.json(fields);
        return write(Request.write("PATCH", path(key)).with("application/merge-patch+json", body), condition);
    }

    /** Deletes a row. */
    public Written delete(Object key) {
        return delete(key, Condition.none());
    }

    /**
     * Deletes a row if a condition holds.
     *
     * @throws NotFound when there is no such row
     * @throws TidemarkException.ConditionFailed as {@link #put(Object, Object, Condition)}, as other failures
     */
    public Written delete(Object key, Condition condition) {
        return write(Request.write("DELETE", path(key)), condition);
    }

    /** All rows in the order of keys. A page of at most 1,000 rows is read when the stream comes to it. */
    public Stream<Row<T>> scan() {
        return LazyPages.stream(this::scanned, RowsPage::next).flatMap(page -> page.rows().stream());
    }

    private record RowsPage<T>(List<Row<T>> rows, Optional<String> next) {}

    private RowsPage<T> scanned(Optional<String> cursor) {
        int most = pageSize;
        String from = cursor.map(text -> "&cursor=" + Request.encoded(text)).orElse("");
        JsonNode answer;
        try {
            answer = session.writer().get(rows + "?limit=" + most + from);
        } catch (TidemarkException.InvalidRequest e) {
            if (most == 1 || !e.problem().type().equals("tidemark:limit-too-large")) {
                throw e;
            }
            pageSize = most / 10;
            return scanned(cursor);
        }
        List<Row<T>> page = StreamSupport.stream(answer.path("rows").spliterator(), false)
                .map(this::row)
                .toList();
        return new RowsPage<>(page, Optional.ofNullable(answer.path("next").textValue()));
    }

    /**
     * Applies changes in their order, while they are read from the stream: a load of any length takes the same memory.
     * A line that cannot be taken is in the result, and does not stop the others. A load is never sent again by itself.
     *
     * @param changes not closed; what it throws ends the load, and is thrown. The service ends a load of which less
     *     than 1,024 bytes come in 20 s
     * @throws TidemarkException when the load stopped midway: lines before may have been committed. To send the whole
     *     load again is safe
     */
    public BulkResult load(Stream<Change<T>> changes) {
        return load("", changes);
    }

    /**
     * Applies all changes or none. The writer holds them in memory, up to its limit.
     *
     * @param changes as {@link #load}, but of 80 KiB in 20 s
     * @throws TidemarkException.Refused when a line cannot be taken; nothing was applied
     */
    public BulkResult loadAtomically(Stream<Change<T>> changes) {
        return load("?atomic=true", changes);
    }

    private BulkResult load(String query, Stream<Change<T>> changes) {
        ChangeLines lines = new ChangeLines(changes.iterator(), session::json, session.timing());
        JsonNode answer;
        try {
            answer = session.writer().send(Request.stream(rows + query, () -> lines));
        } catch (TidemarkException e) {
            throw lines.failure().orElse(e);
        }
        List<BulkResult.Rejection> rejected = new ArrayList<>();
        answer.path("rejected")
                .forEach(line -> rejected.add(new BulkResult.Rejection(
                        line.path("line").asLong(), line.path("detail").asText())));
        return new BulkResult(
                answer.path("committed").asLong(),
                rejected,
                answer.path("rejectedTotal").asLong(),
                session.keep(name, answer));
    }

    private Written write(Request request, Condition condition) {
        JsonNode answer = session.writer().send(request.with(condition.headers()));
        return new Written(answer.path("key"), answer.path("version").asText(), session.keep(name, answer));
    }

    private Row<T> row(JsonNode json) {
        return new Row<>(json.path("key"), json.path("version").asText(), session.value(json.path("row"), type));
    }

    private String path(Object key) {
        Iterable<?> parts = List.of(key);
        if (key instanceof List<?> || key instanceof ArrayNode) {
            parts = (Iterable<?>) key;
        }
        return rows + "/"
                + StreamSupport.stream(parts.spliterator(), false)
                        .map(session::spelled)
                        .collect(Collectors.joining(","));
    }
}
