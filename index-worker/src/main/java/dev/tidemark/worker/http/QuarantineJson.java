package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.http.Problem;
import dev.tidemark.http.ProblemException;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.memory.MemoryBudget;
import dev.tidemark.row.ProblemType;
import dev.tidemark.worker.shard.OpenShard;
import dev.tidemark.worker.shard.Shards;
import dev.tidemark.worker.store.QuarantinedRecord;
import dev.tidemark.worker.store.ShardId;
import dev.tidemark.worker.store.ShardView;

import static dev.tidemark.worker.http.JsonValues.object;

/**
 * Quarantined records as JSON.
 *
 * @param pages memory of answers
 */
public record QuarantineJson(Shards shards, MemoryBudget.Part pages) {
    /** A page ends before it holds more bytes of records, though not before its first. */
    private static final long MOST_BYTES = 1L << 20;

    /** The record at hand, as it is stored and as it is read. */
    private static final long AT_HAND = 4L << 20;

    /** A record is held as text of two bytes a character, and is written as JSON, where one byte may take six. */
    private static final long COPIES = 10;

    /** Objects around a record. */
    private static final long OBJECTS = 2_048;

    private static final Duration RETRY_AFTER = Duration.ofSeconds(1);

    /**
     * Writes the answer of {@code GET /v1/quarantine}.
     *
     * @param limit maximum number of records to show, at least 1; the count in the answer covers all records
     * @param after the record after which the page begins; empty for the first page
     * @param answer receives the answer, whose memory is released once it returns
     * @throws ProblemException 503 when there is no memory left to read a record
     */
    void list(int limit, Optional<Cursor> after, Consumer<ObjectNode> answer) {
        try (MemoryBudget.Reservation held = pages.tryReserve(AT_HAND).orElseThrow(QuarantineJson::noMemory)) {
            Page page = new Page(held, limit);
            long count = 0;
            for (OpenShard shard : shards.assigned()) {
                Optional<OpenShard.ShardSnapshot> reading = shard.readIfOpen();
                if (reading.isPresent()) {
                    count += reading.get().status().checkpoint().quarantined();
                    try (var view = reading.get().view()) {
                        add(page, shard, view, after);
                    }
                }
            }
            answer.accept(page.json.put("count", count));
        }
    }

    private static void add(Page page, OpenShard shard, ShardView view, Optional<Cursor> after) {
        int order = after.map(cursor -> shard.id().compareTo(cursor.shard())).orElse(1);
        if (order < 0 || page.full) {
            return;
        }
        long listed = order == 0 ? after.orElseThrow().listed(view) : 0;
        long[] walked = new long[1];
        view.quarantine(record -> ++walked[0] <= listed || page.add(shard, record));
    }

    /** The primary key, or the bytes in hexadecimal where they are none. */
    static JsonNode key(TableDefinition table, KeyBytes key) {
        try {
            return table.keyToJson(key);
        } catch (MalformedKeyException e) {
            return TextNode.valueOf("0x" + key);
        }
    }

    private static ProblemException noMemory() {
        return new ProblemException(Problem.retryable(
                        503, "No memory left", "the memory for answers is in use by other requests", RETRY_AFTER)
                .typed(ProblemType.NO_MEMORY));
    }

    /** A page of records and the memory that it takes, which is reserved before it is allocated. */
    private static final class Page {
        private final ObjectNode json = object();
        private final ArrayNode records = json.putArray("records");
        private final MemoryBudget.Reservation held;
        private final int limit;
        private long bytes;
        private @Nullable String last;
        private boolean full;

        Page(MemoryBudget.Reservation held, int limit) {
            this.held = held;
            this.limit = limit;
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
            last = new Cursor(shard.id(), record.offset()).text();
            write(shard, record);
            return true;
        }

        private void write(OpenShard shard, QuarantinedRecord record) {
            ObjectNode one = records.addObject().put("table", shard.id().table());
            one.put("partition", shard.id().partition()).put("offset", record.offset());
            one.set("key", key(shard.table(), record.record().key()));
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
    }

    /**
     * The last record of a page. It is named by its offset and not by its key, for not everybody who may list records
     * may read keys.
     */
    record Cursor(ShardId shard, long offset) {
        private static final Pattern TEXT = Pattern.compile("(.{1,255})-(\\d{1,9})-(\\d{1,18})");

        /** As {@link #text} gave it. */
        static Cursor parse(String text) {
            Matcher parts = TEXT.matcher(text);
            if (!parts.matches()) {
                throw new ProblemException(
                        Problem.badRequest("expected a cursor that an answer gave as next, but got " + text));
            }
            ShardId shard = new ShardId(parts.group(1), Integer.parseInt(parts.group(2)));
            return new Cursor(shard, Long.parseLong(parts.group(3)));
        }

        String text() {
            return shard + "-" + offset;
        }

        /**
         * How many records of the shard were listed. None where the record is no longer there, so that others are
         * listed twice rather than never.
         */
        long listed(ShardView view) {
            long[] walked = new long[1];
            boolean[] found = new boolean[1];
            view.quarantine(record -> {
                walked[0]++;
                found[0] = record.offset() == offset;
                return !found[0];
            });
            return found[0] ? walked[0] : 0;
        }
    }
}
