package dev.tidemark.deploy.bench.build;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.CopyCost;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * How long builds took.
 *
 * @param seconds by shape and name; Tidemark first
 * @param cost of a row, beside one applied live
 */
public record BuildReport(
        Machine machine, int rows, int rounds, Map<IndexShape, Map<String, RoundSpread>> seconds, CopyCost cost) {
    /** A line for each shape, after one about the machine. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(machine.heading(rows, rounds));
        seconds.forEach((shape, byName) -> {
            byName.forEach((name, spread) -> lines.add(String.format(
                    Locale.ROOT,
                    "%-9s  %-10s  %6.2f s (%.2f to %.2f), %,.0f rows/s",
                    shape.projection(),
                    name,
                    spread.median(),
                    spread.min(),
                    spread.max(),
                    rows / spread.median())));
            ratio(byName)
                    .ifPresent(ratio -> lines.add(
                            String.format(Locale.ROOT, "%-9s  ratio       %6.2f", shape.projection(), ratio)));
        });
        lines.add(cost.line());
        return lines;
    }

    /** The same for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("at", machine.at().toString()).put("rows", rows).put("rounds", rounds);
        seconds.forEach((shape, byName) -> byName.forEach((name, spread) -> json.withObject("/" + shape.projection())
                .putObject(name)
                .put("medianSeconds", spread.median())
                .put("minSeconds", spread.min())
                .put("maxSeconds", spread.max())));
        json.putObject("cost")
                .put("builtMicros", cost.built().median() / 1e3)
                .put("liveMicros", cost.live().median() / 1e3)
                .put("ratio", cost.ratio().median());
        return json;
    }

    private static Optional<Double> ratio(Map<String, RoundSpread> byName) {
        List<RoundSpread> both = List.copyOf(byName.values());
        return both.size() < 2
                ? Optional.empty()
                : Optional.of(both.get(0).median() / both.get(1).median());
    }
}
