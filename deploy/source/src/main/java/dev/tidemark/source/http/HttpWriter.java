package dev.tidemark.source.http;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.client.Request;
import dev.tidemark.client.Service;
import dev.tidemark.client.Tidemark;
import dev.tidemark.client.TidemarkException;
import dev.tidemark.row.RowJson;
import dev.tidemark.runtime.BoundedWait;
import dev.tidemark.source.feed.Progress;
import dev.tidemark.source.feed.ReloadException;
import dev.tidemark.source.feed.Writer;

/** The writer over HTTP. While none can be reached, calls wait. */
public final class HttpWriter implements Writer {
    private static final int PAGE = 1_000;
    private static final int CONFLICT = 409;
    private static final int UNPROCESSABLE = 422;

    /** After the writer refused a batch as too large, the next has this part of its changes that keep columns. */
    private static final int SHRINKING = 4;

    /** Before a batch is sent again whose outcome is unknown; the client does not wait there. */
    private static final Duration FIRST_PAUSE = Duration.ofMillis(100);

    private static final Duration MOST_PAUSE = Duration.ofSeconds(5);

    private final Service service;
    private final String source;
    private final Progress progress;
    private volatile int mostKept = Integer.MAX_VALUE;

    /**
     * A writer.
     *
     * @param client which repeats reads for some time by itself
     * @param source name of the source
     * @param progress is called with batches that were taken, and with why a call waits
     */
    public HttpWriter(Tidemark client, String source, Progress progress) {
        this.service = client.writer();
        this.source = source;
        this.progress = progress;
    }

    @Override
    public String source() {
        return source;
    }

    @Override
    public State state() throws InterruptedException {
        return waiting(this::stateNow);
    }

    /** The same without waiting for a writer. */
    public State stateNow() {
        try {
            return state(service.send(Request.get(path())));
        } catch (TidemarkException.NotFound e) {
            return new State(RowJson.mapper().nullNode(), Optional.empty(), Instant.EPOCH, Optional.empty(), List.of());
        }
    }

    private static State state(JsonNode answer) {
        List<Followed> tables = new ArrayList<>();
        for (JsonNode table : answer.path("tables")) {
            List<String> key = new ArrayList<>();
            table.path("primaryKey").forEach(column -> key.add(column.asText()));
            tables.add(new Followed(
                    table.path("table").asText(),
                    table.path("source").asText(),
                    key,
                    table.path("watermark").isTextual(),
                    table.path("since").asLong()));
        }
        return new State(
                answer.path("position").isObject()
                        ? answer.path("position")
                        : RowJson.mapper().nullNode(),
                Optional.ofNullable(answer.path("watermark").textValue()).map(Instant::parse),
                Instant.parse(answer.path("time").asText()),
                Optional.ofNullable(answer.path("restated").textValue()),
                tables);
    }

    @Override
    public String send(Batch batch)
            throws InterruptedException, MovedException, NothingToKeepException, ReloadException {
        byte[] body = body(batch);
        String version = send(batch, body);
        progress.sent(batch.changes().size(), body.length, batch.watermark());
        return version;
    }

    private String send(Batch batch, byte[] body)
            throws InterruptedException, MovedException, NothingToKeepException, ReloadException {
        Request request = Request.write("POST", path() + "/batches?admit_unindexable=true")
                .with("application/json", body);
        Duration pause = FIRST_PAUSE;
        while (true) {
            try {
                return waiting(() -> service.send(request)).path("nextVersion").asText();
            } catch (TidemarkException.OutcomeUnknown e) {
                progress.warn(String.valueOf(e.getMessage()));
                BoundedWait.rest(pause);
                pause = pause.multipliedBy(2).compareTo(MOST_PAUSE) < 0 ? pause.multipliedBy(2) : MOST_PAUSE;
            } catch (TidemarkException.InvalidRequest e) {
                if (e.problem().status() == UNPROCESSABLE && e.problem().type().endsWith("nothing-to-keep")) {
                    throw new NothingToKeepException(e.problem().detail());
                }
                if (e.problem().type().endsWith("load-too-large")) {
                    shrink(batch);
                }
                if (e.problem().type().endsWith("rows-restated")) {
                    throw new ReloadException(e.problem().detail());
                }
                if (e.problem().status() != CONFLICT || !e.problem().body().has("position")) {
                    throw e;
                }
                // As text: a number that was read may have another type than one that was put.
                String position = e.problem().body().path("position").toString();
                if (!position.equals(batch.position().toString())) {
                    throw new MovedException("another process feeds source " + source + ": "
                            + e.problem().detail());
                }
                // An earlier attempt was done, and its answer was lost.
                return "";
            }
        }
    }

    /** The next run begins behind the last batch that was taken, and sends fewer such changes at once. */
    private void shrink(Batch batch) {
        long kept =
                batch.changes().stream().filter(change -> change.has("keep")).count();
        mostKept = (int) Math.max(1, kept / SHRINKING);
    }

    @Override
    public int mostKept() {
        return mostKept;
    }

    private static byte[] body(Batch batch) {
        ObjectNode body = RowJson.mapper().createObjectNode();
        body.set("after", batch.after());
        body.set("position", batch.position());
        body.put("watermark", batch.watermark().map(Instant::toString).orElse(null));
        ArrayNode changes = body.putArray("changes");
        batch.changes().forEach(changes::add);
        batch.tables().ifPresent(names -> names.forEach(body.putArray("tables")::add));
        return RowJson.write(body);
    }

    @Override
    public Page rows(String table, Optional<String> cursor) throws InterruptedException {
        String path = "/v1/tables/" + table + "/rows?limit=" + PAGE
                + cursor.map(from -> "&cursor=" + Request.encoded(from)).orElse("");
        JsonNode answer = read(Request.get(path));
        List<Row> rows = new ArrayList<>();
        answer.path("rows").forEach(row -> rows.add(row(row)));
        return new Page(rows, Optional.ofNullable(answer.path("next").textValue()));
    }

    @Override
    public Optional<Row> row(String table, JsonNode key) throws InterruptedException {
        List<JsonNode> parts = new ArrayList<>();
        key.forEach(parts::add);
        ObjectNode body = RowJson.mapper().createObjectNode();
        ArrayNode keys = body.putArray("keys");
        if (parts.size() == 1) {
            keys.add(parts.get(0));
        } else {
            keys.addArray().addAll(parts);
        }
        JsonNode answer = read(Request.write("POST", "/v1/tables/" + table + "/rows:lookup")
                .with("application/json", RowJson.write(body))
                .asRead());
        JsonNode found = answer.path("rows").path(0);
        return found.isObject() ? Optional.of(row(found)) : Optional.empty();
    }

    private static Row row(JsonNode answer) {
        return new Row(answer.path("version").asText(), (ObjectNode) answer.path("row"));
    }

    private String path() {
        return "/v1/sources/" + Request.encoded(source);
    }

    private JsonNode read(Request request) throws InterruptedException {
        return waiting(() -> service.send(request));
    }

    /** Repeats a call for as long as it was not done for certain. */
    private <T> T waiting(Supplier<T> call) throws InterruptedException {
        while (true) {
            try {
                return call.get();
            } catch (TidemarkException.Interrupted e) {
                Thread.interrupted();
                throw new InterruptedException(e.getMessage());
            } catch (TidemarkException.Unreachable | TidemarkException.Unavailable e) {
                progress.warn("waiting for the writer: " + e.getMessage());
            }
        }
    }
}
