package dev.tidemark.deploy.bench.apply;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.MarkdownTable;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * How fast everybody followed.
 *
 * @param tidemark changes a second
 * @param rivals the same of those that took part
 * @param disk what Tidemark's worker keeps and writes
 */
public record ApplyReport(
        Machine machine,
        int changes,
        int rounds,
        RoundSpread tidemark,
        Map<ApplyBaseline, RoundSpread> rivals,
        DiskUse disk) {
    public ApplyReport {
        rivals = new EnumMap<>(rivals);
    }

    /** Tidemark's median in terms of a rival's. */
    public double ratio(ApplyBaseline baseline) {
        return tidemark.median() / rivals.getOrDefault(baseline, tidemark).median();
    }

    /** A line for everybody, after one about the machine. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add(machine.heading(changes, rounds));
        lines.add(line("Tidemark", tidemark));
        for (ApplyBaseline baseline : ApplyBaseline.values()) {
            RoundSpread spread = rivals.get(baseline);
            lines.add(
                    spread == null
                            ? baseline.label() + ": left out, because it is not built; mvn package builds all"
                            : line(baseline.label(), spread)
                                    + String.format(Locale.ROOT, "; Tidemark %.2f times", ratio(baseline)));
        }
        lines.addAll(disk.lines());
        return lines;
    }

    /** As a section of a Markdown file. */
    public List<String> markdown() {
        List<List<String>> rows = new ArrayList<>();
        rows.add(List.of("Tidemark", text(tidemark), ""));
        rivals.forEach((baseline, spread) ->
                rows.add(List.of(baseline.label(), text(spread), String.format(Locale.ROOT, "%.2f", ratio(baseline)))));
        List<String> lines = new ArrayList<>();
        lines.add("Run at " + machine.heading(changes, rounds) + ".");
        lines.add("");
        lines.addAll(MarkdownTable.of(List.of("who", "changes/s", "Tidemark, times"), rows));
        lines.add("");
        disk.lines().forEach(line -> lines.add("- " + line));
        return lines;
    }

    /** The same for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("at", machine.at().toString()).put("changes", changes).put("rounds", rounds);
        put(json.putObject("tidemark"), tidemark);
        rivals.forEach((baseline, spread) -> put(json.putObject(baseline.name().toLowerCase(Locale.ROOT)), spread)
                .put("ratio", ratio(baseline)));
        disk.into(json);
        return json;
    }

    private static String text(RoundSpread spread) {
        return String.format(Locale.ROOT, "%,.0f (%,.0f to %,.0f)", spread.median(), spread.min(), spread.max());
    }

    private static ObjectNode put(ObjectNode json, RoundSpread spread) {
        return json.put("medianPerSecond", spread.median())
                .put("minPerSecond", spread.min())
                .put("maxPerSecond", spread.max());
    }

    private static String line(String name, RoundSpread spread) {
        return String.format(
                Locale.ROOT,
                "%-38s %,9.0f changes/s (%,.0f to %,.0f)",
                name,
                spread.median(),
                spread.min(),
                spread.max());
    }
}
