package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.ProblemType;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.ShardId;

import static dev.tidemark.worker.http.JsonValues.object;

/** A page of quarantined records and the memory that it takes, which is reserved before it is allocated. */
final class QuarantinePage implements AutoCloseable {
    /** A page ends before it holds more bytes of records, though not before its first. */
    private static final long MOST_BYTES = 1L << 20;

    /** The record at hand, as it is stored and as it is read. */
    private static final long AT_HAND = 4L << 20;

    /** A record is held as text of two bytes a character, and is written as JSON, where one byte may take six. */
    private static final long COPIES = 10;

    /** Objects around a record. */
    private static final long OBJECTS = 2_048;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final ObjectNode json = object();
    private final ArrayNode records = json.putArray("records");
    private final MemoryBudget.Reservation held;
    private final int limit;
    private long bytes;
    private @Nullable String last;
    private boolean full;

    /**
     * An empty page.
     *
     * @param limit maximum number of records, at least 1
     * @throws ProblemException 503 when there is no memory left to read a record
     */
    QuarantinePage(MemoryBudget.Part pages, int limit) {
        this.held = pages.tryReserve(AT_HAND).orElseThrow(QuarantinePage::noMemory);
        this.limit = limit;
    }

    ObjectNode json() {
        return json;
    }

    /** Whether the page has ended, and a next one begins after its last record. */
    boolean isFull() {
        return full;
    }

    /** How many records to ask another worker for. Where there is room for none, one shows that there are more. */
    int room() {
        return Math.max(1, limit - records.size());
    }

    /**
     * Takes in a record; false, and then a next page starts with it, when there is no room for it.
     *
     * @throws ProblemException 503 when there is no memory left for the first
     */
    boolean add(OpenShard shard, QuarantinedRecord record) {
        boolean fits = take(shard.id(), record.offset(), size(record));
        if (fits) {
            write(shard, record);
        }
        return fits;
    }

    /** The same with a record that another worker has written. */
    boolean add(ShardId shard, JsonNode record) {
        boolean fits = take(shard, record.path("offset").asLong(), size(record));
        if (fits) {
            records.add(record);
        }
        return fits;
    }

    /**
     * Ends the page, because there is no memory for more.
     *
     * @throws ProblemException 503 when it has no record
     */
    void endWithoutMemory() {
        if (records.isEmpty()) {
            throw noMemory();
        }
        end();
    }

    /** Ends the page, which has records, because there are more after its last. */
    void end() {
        full = true;
        json.put("next", last);
    }

    private boolean take(ShardId shard, long offset, long size) {
        if (full || records.size() >= limit || (!records.isEmpty() && bytes + size > MOST_BYTES)) {
            end();
        } else if (!held.tryGrow(OBJECTS + COPIES * size)) {
            endWithoutMemory();
        } else {
            bytes += size;
            last = new QuarantineJson.Cursor(shard, offset).text();
        }
        return !full;
    }

    private void write(OpenShard shard, QuarantinedRecord record) {
        ObjectNode one = WorkersJson.put(records.addObject(), shard.id()).put("offset", record.offset());
        one.set("key", QuarantineJson.key(shard.table(), record.record().key()));
        one.put("reason", record.reason()).put("at", record.at().toString());
        KeyBytes value = record.record().value();
        one.put("value", value == null ? null : new String(value.array(), StandardCharsets.UTF_8));
        ObjectNode headers = one.putObject("headers");
        record.record().headers().forEach(headers::put);
    }

    private static long size(QuarantinedRecord record) {
        KeyBytes value = record.record().value();
        long size = (long) record.reason().length() + record.record().key().array().length;
        size += value == null ? 0 : value.array().length;
        for (Map.Entry<String, String> header : record.record().headers().entrySet()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    private static long size(JsonNode record) {
        long size = record.path("key").toString().length();
        for (String text : new String[] {"reason", "value"}) {
            size += record.path(text).asText().length();
        }
        for (Map.Entry<String, JsonNode> header : record.path("headers").properties()) {
            size += header.getKey().length() + header.getValue().asText().length();
        }
        return size;
    }

    private static ProblemException noMemory() {
        return new ProblemException(Problem.retryable(
                        503, "No memory left", "the memory for answers is in use by other requests", RETRY_AFTER)
                .typed(ProblemType.NO_MEMORY));
    }

    @Override
    public void close() {
        held.close();
    }
}
