package dev.tidemark.deploy.bench.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.SortedMap;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.MarkdownTable;
import dev.tidemark.deploy.bench.RoundSpread;
import dev.tidemark.deploy.bench.build.IndexShape;

/**
 * What each index that is added costs.
 *
 * @param rates changes a second by shape and number of indexes, of which one is the first
 */
public record IndexesReport(
        Machine machine, int changes, int rounds, Map<IndexShape, SortedMap<Integer, RoundSpread>> rates) {
    private static final List<String> HEADER =
            List.of("projection", "indexes", "changes/s", "µs a change", "µs for each index added");

    /** The titles of {@link #rows}. */
    public static List<String> header() {
        return HEADER;
    }

    /** A row of cells for each shape and number of indexes. */
    public List<List<String>> rows() {
        List<List<String>> rows = new ArrayList<>();
        rates.forEach((shape, byNumber) -> byNumber.forEach((indexes, rate) -> rows.add(List.of(
                shape.projection(),
                Integer.toString(indexes),
                String.format(Locale.ROOT, "%,.0f (%,.0f to %,.0f)", rate.median(), rate.min(), rate.max()),
                String.format(Locale.ROOT, "%.1f", micros(rate)),
                added(byNumber, indexes)))));
        return rows;
    }

    /** Where and how it was run. */
    public String heading() {
        return machine.heading(changes, rounds);
    }

    /** As a section of a Markdown file. */
    public List<String> markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("Run at " + heading() + ".");
        lines.add("");
        lines.addAll(MarkdownTable.of(HEADER, rows()));
        return lines;
    }

    /** The same for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", "indexes").put("at", machine.at().toString());
        json.put("changes", changes).put("rounds", rounds);
        rates.forEach((shape, byNumber) -> {
            ObjectNode own = json.putObject(shape.projection());
            byNumber.forEach((indexes, rate) -> own.putObject(indexes.toString())
                    .put("medianPerSecond", rate.median())
                    .put("minPerSecond", rate.min())
                    .put("maxPerSecond", rate.max()));
        });
        return json;
    }

    /** What those beyond the first cost, each. */
    private static String added(SortedMap<Integer, RoundSpread> byNumber, int indexes) {
        int least = byNumber.firstKey();
        if (indexes == least) {
            return "";
        }
        double more = micros(byNumber.getOrDefault(indexes, RoundSpread.of(List.of(0.0))))
                - micros(byNumber.getOrDefault(least, RoundSpread.of(List.of(0.0))));
        return String.format(Locale.ROOT, "%.1f", more / (indexes - least));
    }

    private static double micros(RoundSpread rate) {
        return 1e6 / rate.median();
    }
}
