package dev.tidemark.worker.http;

import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.worker.verify.Difference;

import static dev.tidemark.worker.http.GroupParts.sum;

/** Puts together what the workers of a replica group found in their parts of one comparison. */
final class VerifyParts {
    /** The partitions of the table that a worker has. */
    static final String HELD = "held";

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

    /**
     * Writes the state and the result.
     *
     * @param json the order
     * @param all what each worker says, that of a worker which does not answer failed
     * @param partitions how many the table has
     */
    static void together(ObjectNode json, List<JsonNode> all, int partitions) {
        // A worker that has nothing of the table says that it failed, which means nothing.
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
            report(json, done, partitions);
            json.put("repaired", sum(done, "repaired"));
            List<JsonNode> latest = done.stream()
                    .map(part -> part.has(AFTER) ? part.path(AFTER) : part)
                    .toList();
            if (done.stream().anyMatch(part -> part.has(AFTER))) {
                report(json.putObject(AFTER), latest, partitions);
            }
            json.put(
                    "equal",
                    missing(latest, partitions).isEmpty() && latest.stream().allMatch(VerifyParts::isEqual));
        }
    }

    private static boolean is(JsonNode part, String state) {
        return part.path(STATE).asText().equals(state);
    }

    private static void report(ObjectNode json, List<JsonNode> parts, int partitions) {
        JsonNode least = parts.stream()
                .map(part -> part.path("watermark"))
                .min(Comparator.comparing(
                        watermark -> Instant.parse(watermark.path("time").asText())))
                .orElseThrow();
        boolean rows =
                parts.stream().allMatch(part -> part.path("basis").asText().equals(ROWS));
        json.put("basis", rows ? ROWS : "digests").put(ROWS, sum(parts, ROWS));
        json.set("watermark", least);
        missing(parts, partitions).forEach(json.putArray(MISSING)::add);
        Map<String, ObjectNode> indexes = new LinkedHashMap<>();
        for (JsonNode part : parts) {
            for (JsonNode index : part.path("indexes")) {
                String name = index.path("index").asText() + " "
                        + index.path("generation").asLong();
                indexes.merge(name, index.deepCopy(), VerifyParts::plus);
            }
        }
        json.putArray("indexes").addAll(indexes.values());
    }

    /** Partitions that none of the parts has compared. */
    private static Set<Integer> missing(List<JsonNode> parts, int partitions) {
        Set<Integer> missing = new TreeSet<>();
        for (int partition = 0; partition < partitions; partition++) {
            missing.add(partition);
        }
        for (JsonNode part : parts) {
            Set<Integer> lacking = new TreeSet<>();
            part.path(MISSING).forEach(one -> lacking.add(one.asInt()));
            missing.retainAll(lacking);
        }
        return missing;
    }

    private static ObjectNode plus(ObjectNode index, ObjectNode other) {
        Stream.concat(Stream.of("entries", "valid"), counts())
                .forEach(count -> index.put(
                        count, index.path(count).asLong() + other.path(count).asLong()));
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

    private static boolean isEqual(JsonNode part) {
        for (JsonNode index : part.path("indexes")) {
            if (!index.path(AGREE).asBoolean()
                    || counts().anyMatch(count -> index.path(count).asLong() > 0)) {
                return false;
            }
        }
        return true;
    }
}
