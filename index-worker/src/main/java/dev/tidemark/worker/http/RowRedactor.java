package dev.tidemark.worker.http;

import java.util.List;
import java.util.function.Predicate;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.access.Scope;
import dev.tidemark.http.Call;

/**
 * Takes out of an answer what is of rows, where the caller may not read rows of their table: keys, values and the
 * reasons that quote them. What is left says {@code "hidden":true}.
 *
 * @param mayRead whether the caller may read rows of a table
 */
record RowRedactor(Predicate<String> mayRead) {
    private static final String HIDDEN = "hidden";

    /** Creates the redactor for the caller of a request. */
    static RowRedactor of(Call call) {
        return new RowRedactor(table -> call.caller().may(Scope.facts(table)));
    }

    /** The answer of {@code GET /v1/quarantine}. */
    ObjectNode inQuarantine(ObjectNode json) {
        for (JsonNode record : json.path("records")) {
            String table = record.path("table").asText();
            if (!mayRead.test(table)) {
                ObjectNode one = hide(record, List.of("key", "value"));
                one.put("reason", reason(table)).putObject("headers");
            }
        }
        return json;
    }

    /** A job that compares an index with its table. */
    ObjectNode inJob(ObjectNode json) {
        String table = json.path("table").asText();
        if (!mayRead.test(table)) {
            if (json.has("detail")) {
                json.put("detail", reason(table));
            }
            hideExamples(json);
            hideExamples(json.path("after"));
        }
        return json;
    }

    /** A plan. */
    ObjectNode inPlan(ObjectNode json) {
        for (JsonNode forecast : json.path("tables")) {
            String table = forecast.path("table").asText();
            if (!mayRead.test(table)) {
                for (JsonNode index : forecast.path("indexes")) {
                    index.path("hottest").forEach(key -> hide(key, List.of()).putArray("key"));
                    hideRefused(index, table);
                }
            }
        }
        return json;
    }

    /** An index. */
    ObjectNode inIndex(ObjectNode json) {
        String table = json.path("table").asText();
        if (!mayRead.test(table)) {
            hideRefused(json, table);
        }
        return json;
    }

    private static void hideExamples(JsonNode report) {
        for (JsonNode index : report.path("indexes")) {
            index.path("examples").forEach(example -> hide(example, List.of("primaryKey", "key", "found", "expected")));
        }
    }

    private static void hideRefused(JsonNode index, String table) {
        index.path("refusedRows")
                .forEach(row -> hide(row, List.of("primaryKey")).put("reason", reason(table)));
    }

    private static ObjectNode hide(JsonNode node, List<String> members) {
        ObjectNode object = (ObjectNode) node;
        members.forEach(object::putNull);
        return object.put(HIDDEN, true);
    }

    private static String reason(String table) {
        return "shown to tokens with the scope " + Scope.facts(table);
    }
}
