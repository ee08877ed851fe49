package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.row.RowJson;

/** Renders one index as text: its lifecycle state, its forecast beside the actual values, and the rows it refuses. */
public final class ForecastVsActualLines {
    /** From here on a difference in percent says less than how many times it was. */
    private static final double MANY_TIMES = 10;

    /** A build cannot be timed to less than this, so how many times a shorter forecast it took says nothing. */
    private static final double LEAST_SECONDS = 0.01;

    private static final String DISK_BYTES = "diskBytes";
    private static final String BUILD_SECONDS = "buildSeconds";
    private static final String MEMORY_BYTES = "memoryBytes";

    private ForecastVsActualLines() {}

    /**
     * The lines of an index.
     *
     * @param index as the index worker gives it
     */
    public static List<String> render(JsonNode index, Terminal terminal) {
        IndexLifecycle lifecycle = RowJson.as(IndexLifecycle.class, index);
        String since = IndexTable.toTheSecond(lifecycle.life().since());
        List<String> lines = new ArrayList<>();
        lines.add(terminal.tinted(lifecycle.qualifiedName(), Tint.CYAN) + "  generation "
                + lifecycle.life().generation() + "  "
                + terminal.tinted(lifecycle.state(), IndexTable.tint(lifecycle))
                + (since.isEmpty() ? "" : " since " + since) + ": "
                + lifecycle.life().cause());
        lines.add("  key " + index.path("key") + ", projection " + index.path("projection")
                + (index.path("where").isEmpty() ? "" : ", where " + index.path("where")));
        String progress = IndexTable.progress(lifecycle);
        if (!progress.isEmpty()) {
            lines.add("  " + progress + " rows");
        }
        String previous = IndexTable.previous(lifecycle);
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
        add(table, "rows", ForecastVsActualLines::count, "rows", forecast, actual);
        add(table, "entries", ForecastVsActualLines::count, "entries", forecast, actual);
        add(table, "on disk", ForecastVsActualLines::bytes, DISK_BYTES, forecast, actual);
        if (actual.path(MEMORY_BYTES).asLong() > 0) {
            add(table, "in memory yet", ForecastVsActualLines::bytes, MEMORY_BYTES, forecast, actual);
        }
        add(table, "refused", ForecastVsActualLines::count, "refused", forecast, actual);
        add(table, "build", ForecastLines::seconds, BUILD_SECONDS, forecast, actual);
        List<String> lines = new ArrayList<>(table.render(terminal));
        if (forecast.isObject()) {
            lines.add(String.format(
                    Locale.ROOT,
                    "forecast from %.3g%% of the rows, for a machine without other work",
                    forecast.path("lookedAtPercent").asDouble()));
        }
        return lines;
    }

    private static void add(
            TextTable table,
            String name,
            Function<JsonNode, String> text,
            String member,
            JsonNode forecast,
            JsonNode actual) {
        JsonNode expected = forecast.path(member);
        JsonNode found = actual.path(member);
        // What is still in memory is not compressed, and cannot be held against the forecast.
        boolean compressed =
                !member.equals(DISK_BYTES) || actual.path(MEMORY_BYTES).asLong() == 0;
        boolean comparable = compressed && (!member.equals(BUILD_SECONDS) || expected.asDouble() >= LEAST_SECONDS);
        table.add(Stream.of(
                        name,
                        expected.isNumber() ? text.apply(expected) : "-",
                        found.isNumber() ? text.apply(found) : "-",
                        comparable ? difference(expected, found) : "-")
                .map(TextTable.Cell::of)
                .toList());
    }

    private static String count(JsonNode number) {
        return Amounts.count(number.asLong());
    }

    private static String bytes(JsonNode number) {
        return Amounts.bytes(number.asLong());
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
        lines.addAll(ForecastLines.refusedRows(index, Integer.MAX_VALUE));
        return lines;
    }
}
