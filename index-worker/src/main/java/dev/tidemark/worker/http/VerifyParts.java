package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.worker.verify.Difference;
import dev.tidemark.worker.verify.VerifyReport;

import static dev.tidemark.worker.http.GroupParts.sum;

/** Puts together what the workers of a replica group found in their parts of one comparison. */
final class VerifyParts {
    /** The partitions of the table and of its global indexes that a worker has. */
    static final String HELD = "held";

    /** The rows that were compared, by where the indexes are. */
    static final String HOMES = "rowsByHome";

    static final String STATE = "state";
    static final String WAITING = "waiting";
    static final String RUNNING = "running";
    static final String DONE = "done";
    static final String FAILED = "failed";
    static final String DETAIL = "detail";
    private static final String ROWS = "rows";
    private static final String AFTER = "after";
    private static final String MISSING = "missingPartitions";
    private static final String EXAMPLES = "examples";
    private static final String AGREE = "digestsAgree";
    private static final int MOST_EXAMPLES = 32;

    private VerifyParts() {}

    /** Removes from what one worker says that which only others need. */
    static void alone(ObjectNode json) {
        json.remove(List.of(HELD, HOMES));
        if (json.path(AFTER) instanceof ObjectNode after) {
            after.remove(HOMES);
        }
    }

    /**
     * Writes the state and the result.
     *
     * @param json the order
     * @param all what each worker says, that of a worker which does not answer failed
     */
    static void together(ObjectNode json, List<JsonNode> all) {
        // A worker that has nothing of what is to be compared says that it failed, which means nothing.
        List<JsonNode> parts = all.stream()
                .filter(part -> !is(part, FAILED) || !part.path(HELD).isEmpty())
                .toList();
        if (parts.stream().anyMatch(part -> is(part, WAITING) || is(part, RUNNING))) {
            json.put(STATE, parts.stream().allMatch(part -> is(part, WAITING)) ? WAITING : RUNNING);
            json.put(ROWS, sum(parts, ROWS));
            json.put("rowsTotal", sum(parts, "rowsTotal"));
            return;
        }
        List<JsonNode> done = parts.stream().filter(part -> is(part, DONE)).toList();
        (parts.isEmpty() ? all : parts)
                .stream()
                        .map(part -> part.path(DETAIL))
                        .filter(JsonNode::isTextual)
                        .findFirst()
                        .ifPresent(why -> json.set(DETAIL, why));
        json.put(STATE, done.isEmpty() ? FAILED : DONE);
        if (!done.isEmpty()) {
            String table = json.path("table").asText();
            Collection<ObjectNode> found = report(json, done, table);
            json.put("repaired", sum(done, "repaired"));
            List<JsonNode> latest = done.stream()
                    .map(part -> part.has(AFTER) ? part.path(AFTER) : part)
                    .toList();
            if (done.stream().anyMatch(part -> part.has(AFTER))) {
                found = report(json.putObject(AFTER), latest, table);
            }
            json.put("equal", found.stream().allMatch(VerifyParts::isEqual) && done.size() == parts.size());
        }
    }

    private static boolean is(JsonNode part, String state) {
        return part.path(STATE).asText().equals(state);
    }

    /** Writes the result, and returns what it says of each index. */
    private static Collection<ObjectNode> report(ObjectNode json, List<JsonNode> parts, String table) {
        JsonNode least = parts.stream()
                .map(part -> part.path("watermark"))
                .min(Comparator.comparing(
                        watermark -> Instant.parse(watermark.path("time").asText())))
                .orElseThrow();
        boolean rows =
                parts.stream().allMatch(part -> part.path("basis").asText().equals(ROWS));
        json.put("basis", rows ? ROWS : "digests").put(ROWS, rows(parts, table));
        json.set("watermark", least);
        ArrayNode missing = json.putArray(MISSING);
        Map<String, ObjectNode> indexes = new LinkedHashMap<>();
        for (JsonNode part : parts) {
            for (JsonNode index : part.path("indexes")) {
                String name = index.path("index").asText() + " "
                        + index.path("generation").asLong();
                indexes.merge(name, index.deepCopy(), VerifyParts::plus);
            }
        }
        json.putArray("indexes").addAll(indexes.values());
        Set<Integer> all = new TreeSet<>();
        indexes.values().forEach(index -> all.addAll(missing(index)));
        all.forEach(missing::add);
        return indexes.values();
    }

    /** How many rows of the table were compared. A worker of an earlier version does not say where its rows are. */
    private static long rows(List<JsonNode> parts, String table) {
        Map<String, Long> rows = new TreeMap<>();
        for (JsonNode part : parts) {
            if (part.has(HOMES)) {
                part.path(HOMES)
                        .properties()
                        .forEach(home ->
                                rows.merge(home.getKey(), home.getValue().asLong(), Long::sum));
            } else {
                rows.merge(table, part.path(ROWS).asLong(), Long::sum);
            }
        }
        return VerifyReport.rows(rows);
    }

    /** Partitions of an index that none has compared. */
    private static Set<Integer> missing(JsonNode index) {
        Set<Integer> missing = new TreeSet<>();
        index.path(MISSING).forEach(one -> missing.add(one.asInt()));
        return missing;
    }

    private static ObjectNode plus(ObjectNode index, ObjectNode other) {
        Stream.concat(Stream.of("entries", "valid"), counts())
                .forEach(count -> index.put(
                        count, index.path(count).asLong() + other.path(count).asLong()));
        Set<Integer> missing = missing(index);
        missing.retainAll(missing(other));
        missing.forEach(index.putArray(MISSING)::add);
        index.put(AGREE, index.path(AGREE).asBoolean() && other.path(AGREE).asBoolean());
        ArrayNode examples = index.withArray(EXAMPLES);
        for (Difference.Kind kind : Difference.Kind.values()) {
            List<JsonNode> shown = ofKind(other, kind);
            shown.stream()
                    .limit(MOST_EXAMPLES
                            - Math.min(MOST_EXAMPLES, ofKind(index, kind).size()))
                    .forEach(examples::add);
        }
        return index;
    }

    private static List<JsonNode> ofKind(JsonNode index, Difference.Kind kind) {
        List<JsonNode> found = new ArrayList<>();
        for (JsonNode example : index.path(EXAMPLES)) {
            if (example.path("kind").asText().equals(kind.label())) {
                found.add(example);
            }
        }
        return found;
    }

    /** Figures of an index that are 0 where it equals its table. */
    private static Stream<String> counts() {
        return Stream.concat(Stream.of(Difference.Kind.values()).map(Difference.Kind::label), Stream.of("undecided"));
    }

    private static boolean isEqual(JsonNode index) {
        return index.path(AGREE).asBoolean()
                && missing(index).isEmpty()
                && counts().allMatch(count -> index.path(count).asLong() == 0);
    }
}
