package dev.tidemark.worker.http;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.NullNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.util.RawValue;

import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.KeyPart;
import dev.tidemark.key.KeyBytes;
import dev.tidemark.key.MalformedKeyException;
import dev.tidemark.row.RowJson;
import dev.tidemark.worker.query.Answer;
import dev.tidemark.worker.query.Freshness;
import dev.tidemark.worker.query.IndexNames;

/** Answers as JSON. */
final class AnswerJson {
    private AnswerJson() {}

    static ObjectNode of(String publicName, IndexNames.Found index, Answer answer) {
        Optional<List<Optional<JsonNode>>> rows = answer.rows();
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("index", publicName);
        ArrayNode entries = json.putArray("entries");
        for (int i = 0; i < answer.entries().size(); i++) {
            Answer.Entry entry = answer.entries().get(i);
            ObjectNode one = entry(index, entry);
            if (rows.isPresent()) {
                one.set("row", rows.get().get(i).orElse(NullNode.getInstance()));
            } else if (entry.carried().length() > 0) {
                // What the worker stored is JSON already.
                one.putRawValue("row", new RawValue(new String(entry.carried().array(), StandardCharsets.UTF_8)));
            }
            entries.add(one);
        }
        json.put("next", answer.next().orElse(null));
        json.set("freshness", of(index.table(), answer.freshness()));
        return json;
    }

    /** How recent an answer is, and what it may lack where there is anything. */
    static ObjectNode of(TableDefinition table, Freshness freshness) {
        ObjectNode json = of(freshness);
        if (!freshness.missingPartitions().isEmpty()) {
            freshness.missingPartitions().forEach(json.withArray("missingPartitions")::add);
        }
        if (freshness.quarantined().count() > 0) {
            ObjectNode quarantined = json.putObject("quarantined");
            quarantined.put("count", freshness.quarantined().count());
            ArrayNode rows = quarantined.putArray("rows");
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
        ObjectNode json = RowJson.mapper().createObjectNode();
        json.put("completeUpTo", freshness.completeUpTo().map(Object::toString).orElse(null));
        json.put(
                "stalenessMs",
                freshness
                        .staleness()
                        .map(age -> age.plusNanos(999_999).toMillis())
                        .orElse(null));
        json.put("state", freshness.state().label());
        return json;
    }

    /** A primary key: the value, or the list of values of a composite one. */
    static JsonNode key(TableDefinition table, KeyBytes key) {
        try {
            return table.keyToJson(key);
        } catch (MalformedKeyException e) {
            throw new IllegalStateException("Expected a key of table " + table.name(), e);
        }
    }

    private static ObjectNode entry(IndexNames.Found index, Answer.Entry entry) {
        ObjectNode json = RowJson.mapper().createObjectNode();
        ObjectNode key = json.putObject("key");
        List<KeyPart> parts = index.definition().key();
        for (int i = 0; i < parts.size(); i++) {
            key.set(parts.get(i).field().toString(), entry.key().get(i).toJson());
        }
        json.set("primaryKey", key(index.table(), entry.primaryKey()));
        json.put("shard", entry.shard());
        json.put("version", entry.version().toString());
        return json;
    }
}
