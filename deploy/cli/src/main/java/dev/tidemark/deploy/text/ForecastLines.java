package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** Forecasts for people: a line for each index, rows that would be refused, and what it rests on. */
public final class ForecastLines {
    private static final int REFUSED_SHOWN = 32;

    private static final List<Column<OfIndex>> COLUMNS = List.of(
            new Column<>("index", one -> new Cell(one.name(), Tint.CYAN)),
            Column.of("action", one -> one.index().path("action").asText()),
            Column.of("rows", one -> Amounts.count(one.table(), "rows")),
            Column.of("entries", one -> Amounts.count(one.index(), "entries")),
            Column.of("per row", one -> decimals("%.2f", one.index().path("entriesPerRow"), 1)),
            Column.of("size", one -> Amounts.bytes(one.index().path("diskBytes").asLong())),
            Column.of("hottest", one -> hottest(one.index().path("hottest").path(0))),
            new Column<>("refused", one -> Cell.alarm(one.index(), "refused")),
            Column.of("build", one -> seconds(one.index().path("buildSeconds"))),
            Column.of("per change", one -> decimals("%.1f µs", one.index().path("applySecondsPerChange"), 1e6)));

    private ForecastLines() {}

    /** The forecast of an index, within that of its table. */
    record OfIndex(JsonNode table, JsonNode index) {
        String name() {
            return table.path("table").asText() + "." + index.path("index").asText();
        }
    }

    /**
     * The lines of a forecast that is done.
     *
     * @param plan as the index worker gives it
     */
    public static List<String> render(JsonNode plan, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        if (plan.path("tables").isEmpty()) {
            lines.add("no index is new or changed, so there is nothing to build");
        } else {
            lines.addAll(TextTable.of(indexes(plan).toList(), COLUMNS).render(terminal));
        }
        plan.path("drops").forEach(drop -> lines.add("drop " + drop.asText() + ": at once, its files are removed"));
        lines.addAll(SourceLines.render(plan.path("sources")));
        for (JsonNode table : plan.path("tables")) {
            table.path("indexes").forEach(index -> {
                OfIndex one = new OfIndex(table, index);
                placements(index).forEach(line -> lines.add(one.name() + ": " + line));
                lines.addAll(refused(one, terminal));
            });
            lines.add(basis(table));
        }
        return lines;
    }

    /** Rows that indexes could not hold, over all of them. */
    public static long refused(JsonNode plan) {
        return indexes(plan)
                .mapToLong(one -> one.index().path("refused").asLong())
                .sum();
    }

    /** The forecasts of all indexes. */
    static Stream<OfIndex> indexes(JsonNode plan) {
        return plan.path("tables")
                .valueStream()
                .flatMap(table -> table.path("indexes").valueStream().map(index -> new OfIndex(table, index)));
    }

    private static List<String> refused(OfIndex one, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        long refused = one.index().path("refused").asLong();
        if (refused > 0) {
            String rows = Amounts.count(refused, "row", "rows");
            lines.add(terminal.tinted(one.name() + " could not hold about " + rows + ", such as:", Tint.RED));
        }
        lines.addAll(refusedRows(one.index(), REFUSED_SHOWN));
        return lines;
    }

    /** What a global index publishes; nothing for a local one. */
    static List<String> placements(JsonNode index) {
        JsonNode placements = index.path("placements");
        return placements.isMissingNode()
                ? List.of()
                : List.of(String.format(
                        Locale.ROOT,
                        "a topic of %s, %s once it is filled; each change of the table publishes %.2f records more, "
                                + "%.2f where the key changes",
                        Amounts.count(placements.path("partitions").asLong(), "partition", "partitions"),
                        Amounts.bytes(placements.path("topicBytes").asLong()),
                        placements.path("recordsPerChange").asDouble(),
                        placements.path("recordsPerMove").asDouble()));
    }

    /** The rows that an index cannot hold, with the reasons. */
    static List<String> refusedRows(JsonNode index, int most) {
        return index.path("refusedRows")
                .valueStream()
                .limit(most)
                .map(row -> "  row " + AnswerTable.text(row.path("primaryKey")) + ": "
                        + row.path("reason").asText())
                .toList();
    }

    private static String hottest(JsonNode key) {
        if (key.isMissingNode()) {
            return "-";
        }
        long most = key.path("entries").asLong();
        long least = most - key.path("error").asLong();
        return AnswerTable.text(key.path("key")) + " (" + (least == most ? "" : Amounts.count(least) + " to ")
                + Amounts.count(most) + ")";
    }

    private static String basis(JsonNode table) {
        long unreadable = table.path("unreadable").asLong();
        return String.format(
                        Locale.ROOT,
                        "%s: looked at %.3g%% of its rows; times from ",
                        table.path("table").asText(),
                        table.path("lookedAtPercent").asDouble())
                + table.path("basis").asText()
                + (unreadable == 0 ? "" : "; " + Amounts.count(unreadable, "record", "records") + " could not be read");
    }

    static String seconds(JsonNode number) {
        return Amounts.seconds(number.asDouble());
    }

    private static String decimals(String format, JsonNode number, double factor) {
        return String.format(Locale.ROOT, format, number.asDouble() * factor);
    }
}
