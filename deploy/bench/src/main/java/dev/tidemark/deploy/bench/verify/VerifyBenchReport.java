package dev.tidemark.deploy.bench.verify;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * How fast comparisons were.
 *
 * @param rates rows a second, by what was compared
 */
public record VerifyBenchReport(Machine machine, int rows, int rounds, Map<String, RoundSpread> rates) {
    /** A line for each kind, after one about the machine. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(machine.heading(rows, rounds));
        rates.forEach((kind, rate) -> lines.add(String.format(
                Locale.ROOT, "%-16s  %,10.0f rows/s (%,.0f to %,.0f)", kind, rate.median(), rate.min(), rate.max())));
        return lines;
    }

    /** The same for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("at", machine.at().toString()).put("rows", rows).put("rounds", rounds);
        ObjectNode kinds = json.putObject("rowsPerSecond");
        rates.forEach((kind, rate) -> kinds.putObject(kind)
                .put("median", rate.median())
                .put("min", rate.min())
                .put("max", rate.max()));
        return json;
    }
}
