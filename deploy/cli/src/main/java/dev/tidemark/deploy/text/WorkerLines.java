package dev.tidemark.deploy.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** The workers for people: what each has, and below it what none has and what is wrong with their settings. */
public final class WorkerLines {
    /** From good to bad; any other state is worse. */
    private static final List<String> STATES =
            List.of("steady", "paused", "catching_up", "restoring", "copying", "degraded");

    private static final Comparator<String> WORSE =
            Comparator.comparingInt(state -> STATES.contains(state) ? STATES.indexOf(state) : STATES.size());
    private static final String NONE = "-";

    private WorkerLines() {}

    /**
     * The lines of an answer.
     *
     * @param answer as a worker gives it
     * @param took until the answer was here, which its ages do not count
     */
    public static List<String> render(JsonNode answer, Duration took, Terminal terminal) {
        List<Column<JsonNode>> columns = List.of(
                new Column<>("worker", worker -> new Cell(worker.path("url").asText(), Tint.CYAN)),
                Column.of("group", WorkerLines::group),
                Column.of(
                        "shards", worker -> Amounts.count(worker.path("shards").size())),
                new Column<>("state", WorkerLines::worst),
                Column.of("watermark", worker -> age(worker, took)));
        List<String> lines =
                new ArrayList<>(TextTable.of(answer.path("workers"), columns).render(terminal));
        unowned(answer.path("unowned")).forEach((what, partitions) -> {
            String none = "no live worker of group " + what + ": " + String.join(", ", partitions);
            lines.add(terminal.tinted(none, Tint.RED));
        });
        answer.path("problems").forEach(problem -> lines.add(terminal.tinted(problem.asText(), Tint.RED)));
        return lines;
    }

    private static String group(JsonNode worker) {
        String group = worker.path("replicaGroup").asText();
        return worker.has("rack") ? group + " in " + worker.path("rack").asText() : group;
    }

    private static Cell worst(JsonNode worker) {
        return worker.path("shards")
                .valueStream()
                .map(shard -> shard.path("state").asText())
                .max(WORSE)
                .map(state -> new Cell(state, Tint.ofState(state)))
                .orElse(Cell.of(NONE));
    }

    /** How old the least watermark is at most: the worker may have looked at its shards as soon as it was asked. */
    private static String age(JsonNode worker, Duration took) {
        List<JsonNode> ages = worker.path("shards")
                .valueStream()
                .map(shard -> shard.path("stalenessMs"))
                .toList();
        if (ages.stream().anyMatch(age -> !age.isNumber())) {
            return Amounts.UNKNOWN;
        }
        return ages.stream()
                .map(JsonNode::asLong)
                .max(Comparator.naturalOrder())
                .map(most -> Amounts.atMost(took.plusMillis(most)))
                .orElse(NONE);
    }

    /** The partitions that no live worker has, by group and table or index. */
    private static Map<String, List<String>> unowned(JsonNode all) {
        Map<String, List<String>> partitions = new TreeMap<>();
        for (JsonNode one : all) {
            String index =
                    one.path("index").isTextual() ? "." + one.path("index").asText() : "";
            String what = one.path("replicaGroup").asText() + " has "
                    + one.path("table").asText() + index;
            partitions
                    .computeIfAbsent(what, unseen -> new ArrayList<>())
                    .add(one.path("partition").asText());
        }
        return partitions;
    }
}
