package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.IndexChange;

/**
 * The cost of index changes, as far as the worker reports it.
 *
 * @param entries how many entries an index has now, by {@code table.index}
 * @param forecasts what was forecast of a new or changed index, by {@code table.index}
 */
public record ChangeCosts(Map<String, Long> entries, Map<String, JsonNode> forecasts) {
    private static final int REFUSED_SHOWN = 3;

    public ChangeCosts {
        entries = Map.copyOf(entries);
        forecasts = Map.copyOf(forecasts);
    }

    /**
     * Costs with the forecasts of a rehearsal.
     *
     * @param plan as the index worker gives it
     */
    public static ChangeCosts of(Map<String, Long> entries, JsonNode plan) {
        Map<String, JsonNode> forecasts = new HashMap<>();
        for (JsonNode table : plan.path("tables")) {
            table.path("indexes")
                    .forEach(index -> forecasts.put(
                            table.path("table").asText() + "."
                                    + index.path("index").asText(),
                            index));
        }
        return new ChangeCosts(entries, forecasts);
    }

    /** The lines for one change. */
    List<String> lines(IndexChange change, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.tinted(deed(change), Tint.DIM));
        forecast(change).ifPresent(forecast -> {
            lines.add(String.format(
                    Locale.ROOT,
                    "about %s, %s; build %s; each change of the table costs %.1f µs more",
                    Amounts.count(forecast.path("entries").asLong(), "entry", "entries"),
                    Amounts.bytes(forecast.path("diskBytes").asLong()),
                    Amounts.seconds(forecast.path("buildSeconds").asDouble()),
                    forecast.path("applySecondsPerChange").asDouble() * 1e6));
            lines.addAll(refused(forecast, terminal));
        });
        return lines;
    }

    private Optional<JsonNode> forecast(IndexChange change) {
        return Optional.ofNullable(forecasts.get(change.index().qualifiedName()));
    }

    private static List<String> refused(JsonNode forecast, Terminal terminal) {
        long refused = forecast.path("refused").asLong();
        if (refused == 0) {
            return List.of();
        }
        List<String> lines = new ArrayList<>();
        lines.add(terminal.tinted(
                "it cannot hold about " + Amounts.count(refused, "row", "rows")
                        + ", and stays degraded until they are mended, such as:",
                Tint.RED));
        for (JsonNode row : forecast.path("refusedRows")) {
            if (lines.size() <= REFUSED_SHOWN) {
                lines.add("  row " + AnswerTable.text(row.path("primaryKey")) + ": "
                        + row.path("reason").asText());
            }
        }
        return lines;
    }

    private String deed(IndexChange change) {
        Long now = entries.get(change.index().qualifiedName());
        String count = now == null ? "its entries" : Amounts.count(now, "entry", "entries");
        if (change instanceof IndexChange.Create) {
            return "built from the whole change topic; rows that it cannot hold are refused from now on";
        }
        return change instanceof IndexChange.Drop
                ? "deletes " + count + "; queries to it fail from then on"
                : "built again beside the old one (" + count + "), which answers until then";
    }
}
