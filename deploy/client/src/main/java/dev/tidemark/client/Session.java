package dev.tidemark.client;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.List;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * Reads and writes, where a query sees every write that was done in the session before it. Open one for each user or
 * job: a session of a whole program lets each query wait for the writes of all.
 */
public final class Session {
    private final Tidemark tidemark;
    private final Options options;
    private final SessionTokens written = new SessionTokens();

    Session(Tidemark tidemark, Options options, Collection<String> tokens) {
        this.tidemark = tidemark;
        this.options = options;
        tokens.forEach(written::add);
    }

    /** A fact table, whose rows are JSON objects. */
    public Table<ObjectNode> table(String name) {
        return table(name, ObjectNode.class);
    }

    /**
     * A fact table.
     *
     * @param rows what Jackson converts rows to and from
     */
    public <T> Table<T> table(String name, Class<T> rows) {
        return new Table<>(this, name, rows);
    }

    /** A query of an index, whose projected fields are a JSON object. */
    public Query<ObjectNode> query(String index) {
        return query(index, ObjectNode.class);
    }

    /**
     * A query of an index.
     *
     * @param index as {@code table.index}
     * @param rows what Jackson converts projected fields to
     * @throws IllegalArgumentException when the name has no table in it
     */
    public <T> Query<T> query(String index, Class<T> rows) {
        int dot = index.indexOf('.');
        if (dot < 1) {
            throw new IllegalArgumentException("expected an index as table.index, but got " + index);
        }
        return Query.of(this, index, index.substring(0, dot), rows);
    }

    /**
     * The status of a write in each index of its table.
     *
     * @param token of the write
     * @param wait how long the service may wait until nothing is pending
     * @throws TidemarkException.NotFound when the write is unknown
     * @throws TidemarkException.TokenGone when it is not known whether the write survived
     */
    public Receipt receipt(String token, Duration wait) {
        String path = "/v1/receipts/" + Request.encoded(token) + "?wait=" + wait.toMillis() + "ms";
        return Receipt.of(tidemark.worker().send(Request.get(path).within(timeout(wait))));
    }

    /** What the session has written, as tokens, for a session elsewhere: {@link Tidemark#session(Collection)}. */
    public List<String> tokens() {
        return written.all();
    }

    SessionTokens written() {
        return written;
    }

    Service writer() {
        return tidemark.writer();
    }

    Service worker() {
        return tidemark.worker();
    }

    Duration timeout(Duration wait) {
        return options.requestTimeout().plus(wait);
    }

    /** Keeps the token of a write to a table that was done; empty where the answer has none. */
    String keep(String table, JsonNode answer) {
        String token = answer.path("token").asText("");
        if (!token.isEmpty()) {
            written.add(table, token);
        }
        return token;
    }

    Timing timing() {
        return tidemark.timing();
    }

    /** On one line, because a load is parted by lines. */
    byte[] json(Object value) {
        try {
            return options.mapper()
                    .writer()
                    .without(SerializationFeature.INDENT_OUTPUT)
                    .writeValueAsBytes(value);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("expected a value that Jackson can write as JSON", e);
        }
    }

    /** A value as it stands in a path or query: JSON, so that text keeps its type. */
    String spelled(Object value) {
        return Request.encoded(new String(json(value), StandardCharsets.UTF_8));
    }

    <T> T value(JsonNode json, Class<T> type) {
        try {
            return options.mapper().treeToValue(json, type);
        } catch (JsonProcessingException e) {
            throw new TidemarkException.UnexpectedAnswer("a row cannot be read as " + type.getName(), e);
        }
    }

    @Override
    public String toString() {
        return "Session of " + tidemark;
    }
}
