package dev.tidemark.deploy.text;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/**
 * The shards for people: who has each, what is in it, which is much larger or busier than the others, and which index
 * keys take most of the changes.
 */
public final class ShardLines {
    private static final Comparator<Line> ORDER = Comparator.comparing(Line::name)
            .thenComparing(line -> line.shard().path("partition").asInt())
            .thenComparing(Line::group);

    private ShardLines() {}

    private record Line(JsonNode worker, JsonNode shard) {
        String table() {
            return shard.path("table").asText();
        }

        /** The table, and also its layout, or of a shard of a global index that and its generation. */
        String name() {
            String layout = shard.has("layout") ? "." + shard.path("layout").asText() : "";
            return shard.path("index").isTextual()
                    ? table() + "." + shard.path("index").asText() + "."
                            + shard.path("generation").asText()
                    : table() + layout;
        }

        String group() {
            return worker.path("replicaGroup").asText();
        }

        Optional<Double> figure(String name) {
            return Optional.of(shard.path(name)).filter(JsonNode::isNumber).map(JsonNode::asDouble);
        }
    }

    /**
     * The lines of two answers.
     *
     * @param answer of {@code GET /v1/workers}
     * @param advice of {@code GET /v1/advice}
     * @param table the table to show; empty for all
     * @param took until the answer about workers was here, which its ages do not count
     */
    public static List<String> render(
            JsonNode answer, JsonNode advice, Optional<String> table, Duration took, Terminal terminal) {
        List<Line> shown = answer.path("workers")
                .valueStream()
                .flatMap(worker -> worker.path("shards").valueStream().map(shard -> new Line(worker, shard)))
                .filter(line -> isOf(line.shard(), table))
                .sorted(ORDER)
                .toList();
        List<Column<Line>> columns = List.of(
                new Column<>(
                        "shard",
                        line -> new Cell(
                                line.name() + "-"
                                        + line.shard().path("partition").asText(),
                                Tint.CYAN)),
                Column.of("group", Line::group),
                Column.of("worker", line -> line.worker().path("url").asText()),
                Column.of("rows", line -> rounded(line, "rows")),
                Column.of("bytes", line -> amount(line, "bytes", bytes -> Amounts.bytes(Math.round(bytes)))),
                Column.of("changes/s", line -> rounded(line, "changesPerSecond")),
                Column.of("queries/s", line -> rounded(line, "queriesPerSecond")),
                new Column<>("state", line -> state(line.shard())),
                Column.of("watermark", line -> age(line.shard(), took)));
        List<String> lines = new ArrayList<>(TextTable.of(shown, columns).render(terminal));
        Stream.concat(skew(answer, table), heavyKeys(advice, table))
                .forEach(text -> lines.add(terminal.tinted(text, Tint.YELLOW)));
        return lines;
    }

    /** The tables that have shards, or should have, by name. */
    public static SortedSet<String> tables(JsonNode answer) {
        SortedSet<String> tables = new TreeSet<>(answer.path("unowned").findValuesAsText("table"));
        answer.path("workers")
                .forEach(worker -> tables.addAll(worker.path("shards").findValuesAsText("table")));
        return tables;
    }

    private static String amount(Line line, String name, Function<Double, String> text) {
        return line.figure(name).map(text).orElse(Amounts.UNKNOWN);
    }

    private static String rounded(Line line, String name) {
        return amount(line, name, figure -> Amounts.count(Math.round(figure)));
    }

    private static Cell state(JsonNode shard) {
        String state = shard.path("state").asText();
        String copied = shard.path("copyBytes").isNumber() ? " " + percent(shard) : "";
        return new Cell(state + copied, Tint.ofState(state));
    }

    /** How much of a copy is here, rounded down. */
    private static String percent(JsonNode shard) {
        long whole = Math.max(1, shard.path("copyBytes").asLong());
        return (long) (100.0 * shard.path("copiedBytes").asLong() / whole) + " %";
    }

    /** An upper bound: the worker may have looked at the shard as soon as it was asked. */
    private static String age(JsonNode shard, Duration took) {
        JsonNode staleness = shard.path("stalenessMs");
        return staleness.isNumber() ? Amounts.atMost(took.plusMillis(staleness.asLong())) : Amounts.UNKNOWN;
    }

    /** What the worker advises where keys take most of the changes of an index. */
    private static Stream<String> heavyKeys(JsonNode advice, Optional<String> table) {
        return advice.path("indexes")
                .valueStream()
                .filter(index -> isOf(index, table))
                .flatMap(index -> advice.path("advice")
                        .valueStream()
                        .filter(one -> one.path("kind").asText().equals("heavy_keys"))
                        .filter(one -> one.path("index").equals(index.path("index"))))
                .map(one -> one.path("index").asText() + ": " + one.path("text").asText());
    }

    /** What the worker says of shards with much more than the others of their table. */
    private static Stream<String> skew(JsonNode answer, Optional<String> table) {
        return answer.path("skew")
                .valueStream()
                .filter(one -> isOf(one, table))
                .map(one -> one.path("text").asText());
    }

    private static boolean isOf(JsonNode part, Optional<String> table) {
        return table.isEmpty() || table.get().equals(part.path("table").asText());
    }
}
