package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.catalog.DefinitionJson;
import dev.tidemark.catalog.IndexChange;
import dev.tidemark.deploy.text.ForecastLines.OfIndex;
import dev.tidemark.index.IndexDefinition;

/**
 * What a catalog changes, and the cost of that as far as the worker reports it.
 *
 * @param entries how many entries an index has now, by {@code table.index}
 * @param forecasts what was forecast of a new or changed index, by {@code table.index}
 */
public record ChangeCosts(Map<String, Long> entries, Map<String, JsonNode> forecasts) {
    private static final int REFUSED_SHOWN = 3;
    private static final String NO_CONDITION = "where: {}";
    private static final String INDENT = " ".repeat(11);

    /** What a definition means that does not have a member. */
    private static final Map<String, String> USUAL =
            Map.of("scope", "scope: \"local\"", "partitions", "partitions: those of the table", "salt", "salt: 1");

    public ChangeCosts {
        entries = Map.copyOf(entries);
        forecasts = Map.copyOf(forecasts);
    }

    /**
     * Costs with the forecasts of a plan.
     *
     * @param plan as the index worker gives it
     */
    public static ChangeCosts of(Map<String, Long> entries, JsonNode plan) {
        return new ChangeCosts(
                entries,
                ForecastLines.indexes(plan)
                        .collect(Collectors.toMap(OfIndex::name, OfIndex::index, (former, latter) -> latter)));
    }

    /** A few lines for each change: what is done, and what that costs, as far as it is known. */
    public List<String> render(List<IndexChange> changes, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        for (IndexChange change : changes) {
            lines.add("  " + terminal.tinted(String.format("%-6s", change.action()), tint(change)) + " "
                    + change.index().qualifiedName());
            Stream<String> details = details(change).stream().filter(detail -> !detail.equals(NO_CONDITION));
            Stream.concat(details, costs(change, terminal).stream()).forEach(detail -> lines.add(INDENT + detail));
        }
        return lines;
    }

    private List<String> costs(IndexChange change, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.tinted(deed(change), Tint.DIM));
        JsonNode forecast = forecasts.get(change.index().qualifiedName());
        if (forecast != null) {
            lines.add(String.format(
                    Locale.ROOT,
                    "about %s, %s; build %s; each change of the table costs %.1f µs more",
                    Amounts.count(forecast.path("entries").asLong(), "entry", "entries"),
                    Amounts.bytes(forecast.path("diskBytes").asLong()),
                    Amounts.seconds(forecast.path("buildSeconds").asDouble()),
                    forecast.path("applySecondsPerChange").asDouble() * 1e6));
            lines.addAll(ForecastLines.placements(forecast));
            lines.addAll(refused(forecast, terminal));
        }
        return lines;
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
        lines.addAll(ForecastLines.refusedRows(forecast, REFUSED_SHOWN));
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

    private static List<String> details(IndexChange change) {
        if (change instanceof IndexChange.Create created) {
            return List.copyOf(parts(created.index()).values());
        }
        if (change instanceof IndexChange.Change changed) {
            return differences(parts(changed.from()), parts(changed.index()));
        }
        return change instanceof IndexChange.Move move
                ? List.of("partitions: " + move.from() + "  ->  " + move.to())
                : List.of();
    }

    /** The members of both. A local index lacks some that a global one has. */
    private static List<String> differences(Map<String, String> before, Map<String, String> after) {
        Set<String> members = new LinkedHashSet<>(before.keySet());
        members.addAll(after.keySet());
        return members.stream()
                .map(member -> {
                    String from = before.getOrDefault(member, USUAL.getOrDefault(member, member));
                    String to = after.getOrDefault(member, USUAL.getOrDefault(member, member));
                    return from.equals(to) ? to : from + "  ->  " + to;
                })
                .toList();
    }

    private static Map<String, String> parts(IndexDefinition index) {
        Map<String, String> parts = new LinkedHashMap<>();
        DefinitionJson.of(index)
                .properties()
                .forEach(part -> parts.put(part.getKey(), part.getKey() + ": " + part.getValue()));
        return parts;
    }

    private static Tint tint(IndexChange change) {
        if (change instanceof IndexChange.Create) {
            return Tint.GREEN;
        }
        return change instanceof IndexChange.Drop ? Tint.RED : Tint.YELLOW;
    }
}
