package dev.tidemark.source.testkit;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.function.Consumer;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;

import dev.tidemark.row.RowJson;

/** What a source needs of the writer, in memory and over HTTP. */
public final class FakeWriter implements AutoCloseable {
    private static final int PAGE = 500;

    private final HttpServer server;
    private final Map<String, Table> tables = new TreeMap<>();
    private JsonNode position = RowJson.mapper().nullNode();
    private Optional<Instant> watermark = Optional.empty();
    private Optional<Set<String>> covered = Optional.empty();
    private long sequence;
    private long definitions;
    private Optional<String> restated = Optional.empty();
    private boolean restating;
    private int batches;
    private int puts;
    private boolean losing;
    private int mostKept = Integer.MAX_VALUE;
    private Optional<String> token = Optional.empty();
    private Clock clock = Clock.systemUTC();

    /** A fact table. */
    private record Table(String source, List<String> key, Map<String, Stored> rows, long since) {}

    /** A row. */
    private record Stored(String version, ObjectNode row) {}

    public FakeWriter() {
        try {
            server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        server.createContext("/", this::answer);
        server.setExecutor(Executors.newCachedThreadPool(work -> {
            Thread thread = new Thread(work);
            thread.setDaemon(true);
            return thread;
        }));
        server.start();
    }

    /** Adds a fact table that follows a table of the database. */
    public synchronized FakeWriter following(String table, String source, String... key) {
        definitions++;
        tables.put(table, new Table(source, List.of(key), new TreeMap<>(), definitions));
        return this;
    }

    /** Has a fact table follow the same table once more, after it followed none. */
    public synchronized void followAgain(String name) {
        definitions++;
        Table former = table(name);
        tables.put(name, new Table(former.source(), former.key(), former.rows(), definitions));
    }

    public URI url() {
        return URI.create("http://127.0.0.1:" + server.getAddress().getPort());
    }

    /** The rows of a table by the text of their key. */
    public synchronized Map<String, ObjectNode> rows(String table) {
        Map<String, ObjectNode> rows = new TreeMap<>();
        table(table).rows().forEach((key, stored) -> rows.put(key, stored.row()));
        return rows;
    }

    /** A row by the text of its key. */
    public ObjectNode row(String table, String key) {
        return Optional.ofNullable(rows(table).get(key)).orElseThrow(() -> new AssertionError("no row " + key));
    }

    /** How many rows a table has. */
    public synchronized int count(String table) {
        return table(table).rows().size();
    }

    public synchronized Optional<Instant> watermark() {
        return watermark;
    }

    /** The watermark, where it is about that table. */
    public synchronized Optional<Instant> watermarkOf(String table) {
        return watermark.filter(
                time -> covered.map(names -> names.contains(table)).orElse(true));
    }

    public synchronized JsonNode position() {
        return position.deepCopy();
    }

    /** How many batches were committed. */
    public synchronized int batches() {
        return batches;
    }

    /** How many rows were put, each time that they were. */
    public synchronized int puts() {
        return puts;
    }

    /** From now on, every third batch is committed without an answer. */
    public synchronized void loseAnswers() {
        losing = true;
    }

    /** From now on, no batch is taken with more changes that keep columns. */
    public synchronized void keepAtMost(int changes) {
        mostKept = changes;
    }

    /** Changes the position, as another source does. */
    public synchronized void moveOn() {
        position = RowJson.mapper().createObjectNode().put("other", true);
    }

    /** From now on, only calls with that token are answered. */
    public synchronized void token(String wanted) {
        token = Optional.of(wanted);
    }

    /** From now on, the writer has this clock. */
    public synchronized void clock(Clock other) {
        clock = other;
    }

    /** Changes what is in the position, as if another version had sent it. */
    public synchronized void editPosition(Consumer<ObjectNode> edit) {
        ObjectNode edited = position.deepCopy();
        edit.accept(edited);
        position = edited;
    }

    /** Puts a row that no source has sent. */
    public synchronized void plant(String table, ObjectNode row) {
        sequence++;
        table(table).rows().put(key(table(table), row), new Stored(version(sequence), row));
    }

    /** After the next batch that puts a row, this writer commits every row of its tables once more. */
    public synchronized void restateSoon() {
        restating = true;
    }

    private void restate() {
        restating = false;
        for (Table table : tables.values()) {
            table.rows().replaceAll((key, stored) -> {
                sequence++;
                return new Stored(version(sequence), stored.row());
            });
        }
        restated = Optional.of(version(sequence));
    }

    private Table table(String name) {
        return Optional.ofNullable(tables.get(name))
                .orElseThrow(() -> new IllegalArgumentException("no table " + name));
    }

    private static String version(long sequence) {
        return "0001%015d".formatted(sequence);
    }

    private static String key(Table table, ObjectNode row) {
        List<String> parts = new ArrayList<>();
        table.key().forEach(column -> parts.add(row.path(column).toString()));
        return String.join(",", parts);
    }

    private void answer(HttpExchange call) throws IOException {
        try (call) {
            JsonNode body = RowJson.mapper().readTree(call.getRequestBody().readAllBytes());
            String path = call.getRequestURI().getPath();
            ObjectNode answer = RowJson.mapper().createObjectNode();
            int status;
            synchronized (this) {
                status = isKnown(call) ? answer(path, call.getRequestURI().getQuery(), body, answer) : refuse(answer);
                if (path.endsWith("/batches") && status == 200 && losing && batches % 3 == 0) {
                    // The connection ends without an answer.
                    return;
                }
            }
            byte[] bytes = RowJson.write(answer);
            call.getResponseHeaders().add("Content-Type", "application/json");
            call.sendResponseHeaders(status, bytes.length);
            call.getResponseBody().write(bytes);
        }
    }

    private boolean isKnown(HttpExchange call) {
        String shown = String.valueOf(call.getRequestHeaders().getFirst("Authorization"));
        return token.map(wanted -> shown.equals("Bearer " + wanted)).orElse(true);
    }

    private static int refuse(ObjectNode answer) {
        answer.put("status", 401).put("detail", "the token is not known");
        return 401;
    }

    private int answer(String path, String query, JsonNode body, ObjectNode answer) {
        String[] parts = path.split("/", -1);
        if (path.endsWith("/batches")) {
            return batch(body, answer);
        }
        if (path.startsWith("/v1/sources/")) {
            return state(answer);
        }
        Table table = table(parts[3]);
        ArrayNode rows = answer.putArray("rows");
        if (path.endsWith("rows:lookup")) {
            body.path("keys").forEach(key -> rows.add(found(table, key)));
            return 200;
        }
        int from = query.contains("cursor=") ? Integer.parseInt(query.substring(query.indexOf("cursor=c") + 8)) : 0;
        page(table, from, rows, answer);
        return 200;
    }

    /** A cursor is a place in the order of keys, as a key that may be gone. */
    private static void page(Table table, int from, ArrayNode rows, ObjectNode answer) {
        int place = 0;
        for (Map.Entry<String, Stored> one : table.rows().entrySet()) {
            if (place >= from && rows.size() < PAGE) {
                rows.addObject()
                        .put("version", one.getValue().version())
                        .set("row", one.getValue().row());
            }
            place++;
        }
        answer.put("next", from + PAGE < table.rows().size() ? "c" + (from + PAGE) : null);
    }

    private static JsonNode found(Table table, JsonNode key) {
        List<String> parts = new ArrayList<>();
        if (key.isArray()) {
            key.forEach(part -> parts.add(part.toString()));
        } else {
            parts.add(key.toString());
        }
        Stored stored = table.rows().get(String.join(",", parts));
        ObjectNode answer = RowJson.mapper().createObjectNode();
        return stored == null
                ? answer.nullNode()
                : answer.put("version", stored.version()).set("row", stored.row());
    }

    private int state(ObjectNode answer) {
        answer.set("position", position);
        answer.put("watermark", watermark.map(Instant::toString).orElse(null));
        answer.put("time", clock.instant().toString());
        answer.put("restated", restated.orElse(null));
        ArrayNode list = answer.putArray("tables");
        tables.forEach((name, table) -> {
            ObjectNode one = list.addObject().put("table", name).put("source", table.source());
            table.key().forEach(one.withArray("primaryKey")::add);
            one.put("watermark", watermarkOf(name).map(Instant::toString).orElse(null));
            one.put("since", table.since());
        });
        return 200;
    }

    private boolean overstates(JsonNode body) {
        Optional<Instant> stated =
                Optional.ofNullable(body.path("watermark").textValue()).map(Instant::parse);
        boolean adds = false;
        for (JsonNode table : body.path("tables")) {
            adds |= watermark.isPresent() && watermarkOf(table.asText()).isEmpty();
        }
        return adds
                && stated.filter(time -> !time.isBefore(watermark.orElseThrow()))
                        .isEmpty();
    }

    private int batch(JsonNode body, ObjectNode answer) {
        if (!body.path("after").toString().equals(position.toString())) {
            answer.put("status", 409).put("detail", "moved").set("position", position);
            return 409;
        }
        for (JsonNode change : body.path("changes")) {
            String limit = change.path("ifVersionBefore").asText("");
            if (!limit.isEmpty()
                    && restated.filter(last -> last.compareTo(limit) >= 0).isPresent()) {
                answer.put("status", 409).put("type", "tidemark:rows-restated").put("detail", "read again");
                return 409;
            }
        }
        long kept = 0;
        for (JsonNode change : body.path("changes")) {
            kept += change.has("keep") ? 1 : 0;
        }
        if (kept > mostKept) {
            answer.put("status", 413).put("type", "tidemark:load-too-large").put("detail", "too many rows");
            return 413;
        }
        if (overstates(body)) {
            answer.put("status", 409).put("type", "tidemark:watermark-behind").put("detail", "earlier");
            return 409;
        }
        int before = puts;
        for (JsonNode change : body.path("changes")) {
            Table table = table(change.path("table").asText());
            sequence++;
            if (change.path("op").asText().equals("put")) {
                ObjectNode row = change.path("row").deepCopy();
                for (JsonNode column : change.path("keep")) {
                    Stored former = table.rows().get(key(table, row));
                    if (former == null || !former.row().has(column.asText())) {
                        answer.put("status", 422)
                                .put("type", "tidemark:nothing-to-keep")
                                .put("detail", "no " + column);
                        return 422;
                    }
                    row.set(column.asText(), former.row().get(column.asText()));
                }
                puts++;
                table.rows().put(key(table, row), new Stored(version(sequence), row));
            } else {
                String key = key(table, (ObjectNode) change.path("key"));
                Stored former = table.rows().get(key);
                String limit = change.path("ifVersionBefore").asText("");
                if (former != null && (limit.isEmpty() || former.version().compareTo(limit) < 0)) {
                    table.rows().remove(key);
                }
            }
        }
        batches++;
        position = body.path("position").deepCopy();
        Optional.ofNullable(body.path("watermark").textValue())
                .map(Instant::parse)
                .ifPresent(time -> watermark = Optional.of(time));
        if (body.has("tables")) {
            Set<String> names = new TreeSet<>();
            body.path("tables").forEach(name -> names.add(name.asText()));
            covered = Optional.of(names);
        }
        if (restating && puts > before) {
            restate();
        }
        answer.set("position", position);
        answer.put("time", clock.instant().toString()).put("nextVersion", version(sequence + 1));
        return 200;
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
