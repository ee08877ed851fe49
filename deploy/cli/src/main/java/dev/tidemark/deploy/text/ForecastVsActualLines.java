package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.client.IndexLifecycle;

/** Renders one index as text: its lifecycle state, its forecast beside the actual values, and the rows it refuses. */
public final class ForecastVsActualLines {
    /** From here on a difference in percent says less than how many times it was. */
    private static final double MANY_TIMES = 10;

    private ForecastVsActualLines() {}

    /**
     * The lines of an index.
     *
     * @param index as the index worker gives it
     */
    public static List<String> render(JsonNode index, Terminal terminal) {
        IndexLifecycle lifecycleState = IndexLifecycle.fromJson(index);
        List<String> lines = new ArrayList<>();
        lines.add(terminal.tinted(lifecycleState.qualifiedName(), Tint.CYAN) + "  generation "
                + lifecycleState.generation() + "  "
                + terminal.tinted(lifecycleState.state(), IndexTable.tint(lifecycleState))
                + (lifecycleState.since().isEmpty() ? "" : " since " + IndexTable.toTheSecond(lifecycleState.since()))
                + ": "
                + lifecycleState.cause());
        lines.add("  key " + index.path("key") + ", projection " + index.path("projection")
                + (index.path("where").isEmpty() ? "" : ", where " + index.path("where")));
        String progress = IndexTable.progress(lifecycleState);
        if (!progress.isEmpty()) {
            lines.add("  " + progress + " rows");
        }
        String previous = IndexTable.previous(lifecycleState);
        if (!previous.isEmpty()) {
            lines.add("  before it: " + previous);
        }
        lines.addAll(comparison(index, terminal));
        lines.addAll(refused(index));
        return lines;
    }

    /** Compares the forecast values, where there are any, with the actual ones. */
    public static List<String> comparison(JsonNode index, Terminal terminal) {
        JsonNode actual = index.path("actual");
        JsonNode forecast = index.path("forecast");
        TextTable table = new TextTable(List.of("", "forecast", "actual", "difference"));
        addCount(table, "rows", forecast.path("rows"), actual.path("rows"));
        addCount(table, "entries", forecast.path("entries"), actual.path("entries"));
        addSize(table, forecast, actual);
        addCount(table, "refused", forecast.path("refused"), actual.path("refused"));
        addRow(
                table,
                "build",
                forecast.path("buildSeconds"),
                actual.path("buildSeconds"),
                Amounts.seconds(forecast.path("buildSeconds").asDouble()),
                Amounts.seconds(actual.path("buildSeconds").asDouble()));
        List<String> lines = new ArrayList<>(table.render(terminal));
        if (forecast.isObject()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "forecast from %.3g%% of the rows, for a machine without other work",
                    forecast.path("lookedAtPercent").asDouble()));
        }
        return lines;
    }

    /** What is still in memory is not compressed, and cannot be held against the forecast. */
    private static void addSize(TextTable table, JsonNode forecast, JsonNode actual) {
        long memory = actual.path("memoryBytes").asLong();
        JsonNode expected = forecast.path("diskBytes");
        JsonNode disk = actual.path("diskBytes");
        table.add(Stream.of("on disk", bytes(expected), bytes(disk), memory == 0 ? difference(expected, disk) : "-")
                .map(TextTable.Cell::of)
                .toList());
        if (memory > 0) {
            table.add(Stream.of("in memory yet", "-", Amounts.bytes(memory), "-")
                    .map(TextTable.Cell::of)
                    .toList());
        }
    }

    private static String bytes(JsonNode number) {
        return number.isNumber() ? Amounts.bytes(number.asLong()) : "-";
    }

    private static void addCount(TextTable table, String name, JsonNode forecast, JsonNode actual) {
        addRow(table, name, forecast, actual, Amounts.count(forecast.asLong()), Amounts.count(actual.asLong()));
    }

    private static void addRow(
            TextTable table, String name, JsonNode forecast, JsonNode actual, String forecastText, String actualText) {
        table.add(List.of(
                TextTable.Cell.of(name),
                TextTable.Cell.of(forecast.isNumber() ? forecastText : "-"),
                TextTable.Cell.of(actual.isNumber() ? actualText : "-"),
                TextTable.Cell.of(difference(forecast, actual))));
    }

    private static String difference(JsonNode forecast, JsonNode actual) {
        if (!forecast.isNumber() || !actual.isNumber() || forecast.asDouble() == 0) {
            return "-";
        }
        double times = actual.asDouble() / forecast.asDouble();
        return times < MANY_TIMES
                ? String.format(Locale.ROOT, "%+.0f%%", (times - 1) * 100)
                : String.format(Locale.ROOT, "%.0f×", times);
    }

    private static List<String> refused(JsonNode index) {
        List<String> lines = new ArrayList<>();
        long count = index.path("refused").asLong();
        if (count > 0) {
            lines.add("cannot hold " + Amounts.count(count, "row", "rows") + ", such as:");
        }
        index.path("refusedRows")
                .forEach(row -> lines.add("  row " + AnswerTable.text(row.path("primaryKey")) + ": "
                        + row.path("reason").asText()));
        return lines;
    }
}
