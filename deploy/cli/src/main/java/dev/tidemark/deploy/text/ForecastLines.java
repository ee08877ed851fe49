package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;

/** Forecasts for people: a line for each index, rows that would be refused, and what it rests on. */
public final class ForecastLines {
    private static final int REFUSED_SHOWN = 32;

    private ForecastLines() {}

    /**
     * The lines of a rehearsal that is done.
     *
     * @param plan as the index worker gives it
     */
    public static List<String> render(JsonNode plan, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        if (plan.path("tables").isEmpty()) {
            lines.add("no index is new or changed, so there is nothing to build");
        } else {
            lines.addAll(table(plan.path("tables")).render(terminal));
        }
        plan.path("drops").forEach(drop -> lines.add("drop " + drop.asText() + ": at once, its files are removed"));
        for (JsonNode table : plan.path("tables")) {
            table.path("indexes").forEach(index -> lines.addAll(refused(table, index, terminal)));
            lines.add(basis(table));
        }
        return lines;
    }

    /** Rows that indexes could not hold, over all of them. */
    public static long refused(JsonNode plan) {
        long refused = 0;
        for (JsonNode table : plan.path("tables")) {
            for (JsonNode index : table.path("indexes")) {
                refused += index.path("refused").asLong();
            }
        }
        return refused;
    }

    private static TextTable table(JsonNode tables) {
        TextTable text = new TextTable(List.of(
                "index", "action", "rows", "entries", "per row", "size", "hottest", "refused", "build", "per change"));
        for (JsonNode table : tables) {
            for (JsonNode index : table.path("indexes")) {
                text.add(cells(table, index));
            }
        }
        return text;
    }

    private static List<TextTable.Cell> cells(JsonNode table, JsonNode index) {
        long refused = index.path("refused").asLong();
        List<TextTable.Cell> cells = new ArrayList<>();
        cells.add(new TextTable.Cell(name(table, index), Tint.CYAN));
        cells.add(TextTable.Cell.of(index.path("action").asText()));
        cells.add(TextTable.Cell.of(Amounts.count(table.path("rows").asLong())));
        cells.add(TextTable.Cell.of(Amounts.count(index.path("entries").asLong())));
        cells.add(TextTable.Cell.of(
                String.format(Locale.ROOT, "%.2f", index.path("entriesPerRow").asDouble())));
        cells.add(TextTable.Cell.of(Amounts.bytes(index.path("diskBytes").asLong())));
        cells.add(TextTable.Cell.of(hottest(index.path("hottest").path(0))));
        cells.add(new TextTable.Cell(Amounts.count(refused), refused > 0 ? Tint.RED : Tint.PLAIN));
        cells.add(TextTable.Cell.of(Amounts.seconds(index.path("buildSeconds").asDouble())));
        cells.add(TextTable.Cell.of(String.format(
                Locale.ROOT, "%.1f µs", index.path("applySecondsPerChange").asDouble() * 1e6)));
        return cells;
    }

    private static List<String> refused(JsonNode table, JsonNode index, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        long refused = index.path("refused").asLong();
        if (refused > 0) {
            lines.add(terminal.tinted(
                    name(table, index) + " could not hold about " + Amounts.count(refused, "row", "rows")
                            + ", such as:",
                    Tint.RED));
        }
        int shown = 0;
        for (JsonNode row : index.path("refusedRows")) {
            if (shown++ < REFUSED_SHOWN) {
                lines.add("  row " + AnswerTable.text(row.path("primaryKey")) + ": "
                        + row.path("reason").asText());
            }
        }
        return lines;
    }

    private static String hottest(JsonNode key) {
        if (key.isMissingNode()) {
            return "-";
        }
        List<String> values = new ArrayList<>();
        key.path("key").forEach(value -> values.add(AnswerTable.text(value)));
        long most = key.path("entries").asLong();
        long least = most - key.path("error").asLong();
        return String.join(", ", values) + " (" + (least == most ? "" : Amounts.count(least) + " to ")
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

    private static String name(JsonNode table, JsonNode index) {
        return table.path("table").asText() + "." + index.path("index").asText();
    }
}
