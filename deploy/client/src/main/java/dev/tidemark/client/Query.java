package dev.tidemark.client;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;

/**
 * A query of an index, by equalities on leading parts of its key and a range on the next part. Each method returns a
 * new query; nothing is sent before {@link #page()}, or before a stream is read.
 *
 * @param <T> type of the projected fields
 */
public final class Query<T> {
    private static final String CURSOR = "cursor";
    private static final String PARTIAL = "allow_partial";
    private static final Duration USUAL_WAIT = Duration.ofSeconds(2);

    private final Session session;
    private final String path;
    private final String table;
    private final Class<T> type;
    private final Settings settings;

    /**
     * What is asked for.
     *
     * @param parameters of the URL: encoded values by encoded names
     * @param limit most entries of all pages
     * @param pageSize most entries of one page
     * @param patience for the token and the staleness
     */
    private record Settings(Map<String, String> parameters, long limit, int pageSize, Duration patience) {
        Settings with(String name, String value) {
            Map<String, String> more = new LinkedHashMap<>(parameters);
            more.put(name, value);
            return new Settings(more, limit, pageSize, patience);
        }
    }

    private Query(Session session, String path, String table, Class<T> type, Settings settings) {
        this.session = session;
        this.path = path;
        this.table = table;
        this.type = type;
        this.settings = settings;
    }

    static <T> Query<T> of(Session session, String index, String table, Class<T> type) {
        String path = "/v1/indexes/" + Request.encoded(index) + "/entries";
        Settings all = new Settings(Map.of(), Long.MAX_VALUE, 100, USUAL_WAIT);
        return new Query<>(session, path, table, type, all);
    }

    /** Entries that have this value in a part of the key: a text, a number or a boolean. */
    public Query<T> equalTo(String field, Object value) {
        return condition(field, "eq", value);
    }

    /** Entries above a value. */
    public Query<T> greaterThan(String field, Object value) {
        return condition(field, "gt", value);
    }

    /** Entries from a value on. */
    public Query<T> atLeast(String field, Object value) {
        return condition(field, "gte", value);
    }

    /** Entries below a value. */
    public Query<T> lessThan(String field, Object value) {
        return condition(field, "lt", value);
    }

    /** Entries up to a value. */
    public Query<T> atMost(String field, Object value) {
        return condition(field, "lte", value);
    }

    /** Entries whose text begins so. */
    public Query<T> prefix(String field, String beginning) {
        return condition(field, "prefix", beginning);
    }

    /** From the other end of the index. */
    public Query<T> descending() {
        return with(settings.with("order", "desc"));
    }

    /** Reads each row from the fact table, as it is now. */
    public Query<T> fetchRow() {
        return with(settings.with("fetch", "row"));
    }

    /** Waits for fresher data, and refuses an answer that is staler: {@link TidemarkException.Unavailable}. */
    public Query<T> maxStaleness(Duration most) {
        return with(settings.with("max_staleness", most.toMillis() + "ms"));
    }

    /** How long a page waits for the writes of the session and for {@link #maxStaleness}; 2 s where it is not set. */
    public Query<T> waitUpTo(Duration time) {
        return with(new Settings(settings.parameters, settings.limit, settings.pageSize, time));
    }

    /**
     * Answers also where partitions are missing. {@link Freshness#missingPartitions()} names them, so that only {@link
     * #page()} and {@link #pages()} can be used.
     */
    public Query<T> allowPartial() {
        return with(settings.with(PARTIAL, "true"));
    }

    /** At most that many entries in all. None are not asked for: their page is empty, of an unknown freshness. */
    public Query<T> limit(long entries) {
        return with(new Settings(settings.parameters, entries, settings.pageSize, settings.patience));
    }

    /** At most that many entries in one page; 100 where it is not set. */
    public Query<T> pageSize(int entries) {
        return with(new Settings(settings.parameters, settings.limit, entries, settings.patience));
    }

    /** Goes on after a page: {@link Page#next()}. */
    public Query<T> cursor(String next) {
        return with(settings.with(CURSOR, Request.encoded(next)));
    }

    /**
     * The first page.
     *
     * @throws TidemarkException.Unavailable when a write of the session, or the staleness, is not reached in time, or
     *     partitions are missing
     * @throws TidemarkException.IndexNotReady while the index is built
     * @throws TidemarkException.TokenGone when a write of the session may be lost
     */
    public Page<T> page() {
        return read(Optional.empty(), settings.limit);
    }

    /** All pages. Each is read when the stream comes to it, with the same failures as {@link #page()}. */
    public Stream<Page<T>> pages() {
        long[] left = {settings.limit};
        return LazyPages.stream(
                cursor -> {
                    Page<T> page = read(cursor, left[0]);
                    left[0] -= page.entries().size();
                    return page;
                },
                page -> left[0] > 0 ? page.next() : Optional.empty());
    }

    /**
     * All entries. Pages are read when the stream comes to them.
     *
     * @throws IllegalStateException after {@link #allowPartial()}
     */
    public Stream<Entry<T>> stream() {
        if (settings.parameters.containsKey(PARTIAL)) {
            throw new IllegalStateException(
                    "Expected pages(), because a stream of entries does not show which partitions are missing");
        }
        return pages().flatMap(page -> page.entries().stream());
    }

    /** The page at a cursor; where there is none, at that of the query. */
    private Page<T> read(Optional<String> cursor, long most) {
        if (most == 0) {
            return new Page<>(List.of(), Optional.empty(), Freshness.of(MissingNode.getInstance()));
        }
        Map<String, String> parameters = new LinkedHashMap<>(settings.parameters);
        parameters.put("limit", Long.toString(Math.min(most, settings.pageSize)));
        parameters.put("wait", settings.patience.toMillis() + "ms");
        cursor.ifPresent(next -> parameters.put(CURSOR, Request.encoded(next)));
        session.written().of(table).ifPresent(token -> parameters.put("token", token));
        String query = parameters.entrySet().stream()
                .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
                .collect(Collectors.joining("&"));
        JsonNode answer =
                session.worker().send(Request.get(path + "?" + query).within(session.timeout(settings.patience)));
        List<Entry<T>> entries = new ArrayList<>();
        answer.path("entries").forEach(entry -> entries.add(entry(entry)));
        return new Page<>(
                entries, Optional.ofNullable(answer.path("next").textValue()), Freshness.of(answer.path("freshness")));
    }

    private Entry<T> entry(JsonNode json) {
        JsonNode row = json.path("row");
        return new Entry<>(
                json.path("key"),
                json.path("primaryKey"),
                json.path("shard").asInt(),
                json.path("version").asText(),
                row.isObject() ? Optional.of(session.value(row, type)) : Optional.empty());
    }

    private Query<T> condition(String field, String bound, Object value) {
        return with(settings.with(Request.encoded(field) + "." + bound, session.spelled(value)));
    }

    private Query<T> with(Settings changed) {
        return new Query<>(session, path, table, type, changed);
    }
}
