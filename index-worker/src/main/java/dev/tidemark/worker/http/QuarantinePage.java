package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.ProblemType;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.store.QuarantinedRecord;

/**
 * A page of quarantined records and the memory that it takes, which is reserved before it is allocated. Belongs to one
 * thread.
 */
final class QuarantinePage implements AutoCloseable {
    /** A page ends before it holds more bytes of records, though not before its first. */
    static final long MOST_BYTES = 1L << 20;

    /** The record at hand, as it is stored and as it is read. */
    private static final long AT_HAND = 4L << 20;

    /** A record is held as text of two bytes a character, and is written as JSON, where one byte may take six. */
    private static final long COPIES = 10;

    /** Objects around a record. */
    private static final long OBJECTS = 2_048;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    private final ObjectNode json = RowJson.mapper().createObjectNode();
    private final ArrayNode records = json.putArray("records");
    private final MemoryBudget.Reservation held;
    private final int limit;
    private long bytes;
    private @Nullable String last;
    private boolean full;

    private QuarantinePage(MemoryBudget.Reservation held, int limit) {
        this.held = held;
        this.limit = limit;
    }

    /**
     * A page without records.
     *
     * @param limit most records, at least 1
     * @throws ProblemException 503 when there is no memory left to read a record
     */
    static QuarantinePage open(MemoryBudget.Part pages, int limit) {
        return new QuarantinePage(pages.tryReserve(AT_HAND).orElseThrow(QuarantinePage::noMemory), limit);
    }

    /**
     * Takes in a record; false, and then a next page starts with it, when there is no room for it.
     *
     * @throws ProblemException 503 when there is no memory left for the first
     */
    boolean add(OpenShard shard, QuarantinedRecord record) {
        long size = size(record);
        full = full || records.size() >= limit || (!records.isEmpty() && bytes + size > MOST_BYTES);
        if (!full && !held.tryGrow(OBJECTS + COPIES * size)) {
            if (records.isEmpty()) {
                throw noMemory();
            }
            full = true;
        }
        if (full) {
            json.put("next", last);
            return false;
        }
        bytes += size;
        last = new QuarantineCursor(shard.id(), record.offset()).text();
        write(shard, record);
        return true;
    }

    /** Whether a record was left to a next page. */
    boolean isFull() {
        return full;
    }

    /** The answer. */
    ObjectNode json(long count) {
        return json.put("count", count);
    }

    /** Gives the memory back. */
    @Override
    public void close() {
        held.close();
    }

    private void write(OpenShard shard, QuarantinedRecord record) {
        ObjectNode one = records.addObject();
        one.put("table", shard.id().table());
        one.put("partition", shard.id().partition());
        one.put("offset", record.offset());
        one.set("key", QuarantineJson.key(shard.table(), record.record().key()));
        one.put("reason", record.reason());
        one.put("at", record.at().toString());
        KeyBytes value = record.record().value();
        one.put("value", value == null ? null : new String(value.array(), StandardCharsets.UTF_8));
        ObjectNode headers = one.putObject("headers");
        record.record().headers().forEach(headers::put);
    }

    private static long size(QuarantinedRecord record) {
        long size = (long) record.reason().length() + record.record().key().array().length;
        size += Optional.ofNullable(record.record().value())
                .map(value -> value.array().length)
                .orElse(0);
        for (Map.Entry<String, String> header : record.record().headers().entrySet()) {
            size += header.getKey().length() + header.getValue().length();
        }
        return size;
    }

    private static ProblemException noMemory() {
        return new ProblemException(Problem.retryable(
                        503, "No memory left", "the memory for answers is in use by other requests", RETRY_AFTER)
                .typed(ProblemType.NO_MEMORY));
    }
}
