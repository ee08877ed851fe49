package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.KeyReader;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.JsonBytes;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexNames;
import dev.tidemark.worker.query.QueryResult;

import static dev.tidemark.worker.http.JsonValues.object;
import static dev.tidemark.worker.http.JsonValues.text;

/** Answers as JSON. */
final class QueryResultJson {
    /** What an entry has beside its content. */
    private static final long ENTRY_BYTES = 128;

    /** What stands around the entries. */
    private static final long ENDS_BYTES = 1_024;

    private static final int NAME_BYTES = 64;
    private static final byte[] PRIMARY_KEY = ascii("},\"primaryKey\":");
    private static final byte[] SHARD = ascii(",\"shard\":");
    private static final byte[] VERSION = ascii(",\"version\":");
    private static final byte[] ROW = ascii(",\"row\":");

    private QueryResultJson() {}

    private static byte[] ascii(String text) {
        return text.getBytes(StandardCharsets.US_ASCII);
    }

    /** An answer. */
    static JsonBytes of(String publicName, IndexNames.Found index, QueryResult answer) {
        JsonBytes json = new JsonBytes(expectedBytes(answer))
                .raw("{\"index\":")
                .text(publicName)
                .raw(",\"entries\":[");
        List<byte[]> names = names(index);
        for (int i = 0; i < answer.entries().size(); i++) {
            QueryResult.Entry entry = answer.entries().get(i);
            entry(json.raw(i == 0 ? "" : ","), names, index.table(), entry);
            if (answer.rows().isPresent()) {
                Optional<KeyBytes> row = answer.rows().get().get(i);
                json.raw(ROW);
                row.ifPresentOrElse(stored -> json.raw(stored.array()), () -> json.raw("null"));
            } else if (entry.carried().length() > 0) {
                // What the worker stored is JSON already.
                json.raw(ROW).raw(entry.carried().array());
            }
            json.raw("}");
        }
        json.raw("],\"next\":");
        answer.next().ifPresentOrElse(json::text, () -> json.raw("null"));
        freshness(json.raw(",\"freshness\":"), index.table(), answer.freshness());
        return json.raw("}");
    }

    /** The same as the tree where nothing is lacking, as in nearly all answers. */
    private static void freshness(JsonBytes json, TableDefinition table, Freshness freshness) {
        if (freshness.completeUpTo().isEmpty()
                || freshness.staleness().isEmpty()
                || !freshness.missingPartitions().isEmpty()
                || freshness.quarantined().count() > 0
                || freshness.refused() > 0) {
            json.node(of(table, freshness));
            return;
        }
        json.raw("{\"completeUpTo\":").text(freshness.completeUpTo().get().toString());
        json.raw(",\"stalenessMs\":").number(millis(freshness.staleness().get()));
        json.raw(",\"state\":").text(freshness.state().label()).raw("}");
    }

    /** Rounded up. */
    static long millis(Duration age) {
        return age.plusNanos(999_999).toMillis();
    }

    /** So that a large answer does not have to be moved while it grows. */
    private static int expectedBytes(QueryResult answer) {
        return Math.toIntExact(
                answer.contentBytes() + ENTRY_BYTES * answer.entries().size() + ENDS_BYTES);
    }

    /** What stands before each part of the key of an entry. */
    private static List<byte[]> names(IndexNames.Found index) {
        List<byte[]> names = new ArrayList<>();
        for (KeyPart part : index.definition().key()) {
            names.add(new JsonBytes(NAME_BYTES)
                    .raw(names.isEmpty() ? "{\"key\":{" : ",")
                    .text(part.field().toString())
                    .raw(":")
                    .toBytes());
        }
        return names;
    }

    /** How recent an answer is, and what it may lack where there is anything. */
    static ObjectNode of(TableDefinition table, Freshness freshness) {
        ObjectNode json = of(freshness);
        if (!freshness.missingPartitions().isEmpty()) {
            freshness.missingPartitions().forEach(json.withArray("missingPartitions")::add);
        }
        if (freshness.quarantined().count() > 0) {
            ArrayNode rows = json.putObject("quarantined")
                    .put("count", freshness.quarantined().count())
                    .putArray("rows");
            for (Freshness.Quarantined.Row row : freshness.quarantined().rows()) {
                ObjectNode one = rows.addObject();
                one.set("primaryKey", QuarantineJson.key(table, row.key()));
                one.put("partition", row.partition()).put("reason", row.reason());
            }
        }
        if (freshness.refused() > 0) {
            json.put("refused", freshness.refused());
        }
        return json;
    }

    static ObjectNode of(Freshness freshness) {
        Optional<Long> age = freshness.staleness().map(QueryResultJson::millis);
        ObjectNode json = object().put("completeUpTo", text(freshness.completeUpTo()));
        return json.put("stalenessMs", age.orElse(null))
                .put("state", freshness.state().label());
    }

    /** A primary key: the value, or the list of values of a composite one. */
    static JsonNode key(TableDefinition table, KeyBytes key) {
        try {
            return table.keyToJson(key);
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key of table " + table.name(), e);
        }
    }

    private static void entry(JsonBytes json, List<byte[]> names, TableDefinition table, QueryResult.Entry entry) {
        for (int i = 0; i < names.size(); i++) {
            json.raw(names.get(i)).value(entry.key().get(i));
        }
        json.raw(PRIMARY_KEY);
        primaryKey(json, table, entry.primaryKey());
        json.raw(SHARD).number(entry.shard()).raw(VERSION).version(entry.version());
    }

    private static void primaryKey(JsonBytes json, TableDefinition table, KeyBytes key) {
        if (table.primaryKey().size() > 1) {
            json.node(key(table, key));
            return;
        }
        try {
            json.value(KeyReader.readAll(key).get(0));
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key of table " + table.name(), e);
        }
    }
}
