package dev.tidemark.deploy.bench.apply;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.IndexShape;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Numbers;
import dev.tidemark.deploy.bench.Report;
import dev.tidemark.deploy.bench.RoundSpread;

/**
 * What each index that is added costs.
 *
 * @param rates changes a second by shape and number of indexes, of which one is the first
 */
record IndexesReport(Machine machine, int changes, int rounds, Map<IndexShape, SortedMap<Integer, RoundSpread>> rates) {
    private static final List<String> HEADER =
            List.of("projection", "indexes", "changes/s", "µs a change", "µs for each index added");

    Report report() {
        List<List<String>> rows = new ArrayList<>();
        ObjectNode json =
                Report.members("indexes", machine).put("changes", changes).put("rounds", rounds);
        rates.forEach((shape, byNumber) -> {
            ObjectNode own = json.putObject(shape.projection());
            byNumber.forEach((indexes, rate) -> {
                own.set(indexes.toString(), rate.json("PerSecond"));
                rows.add(List.of(
                        shape.projection(),
                        indexes.toString(),
                        rate.text(Numbers::whole, ""),
                        Numbers.tenths(micros(rate)),
                        added(byNumber, indexes, rate)));
            });
        });
        return new Report(machine.heading(changes, rounds), List.of(new Report.Table("", HEADER, rows)), json);
    }

    /** The cost of each index beyond the first number of them; empty for the first. */
    private static String added(SortedMap<Integer, RoundSpread> byNumber, int indexes, RoundSpread rate) {
        int least = byNumber.firstKey();
        double more = micros(rate) - micros(byNumber.getOrDefault(least, rate));
        return indexes == least ? "" : Numbers.tenths(more / (indexes - least));
    }

    private static double micros(RoundSpread rate) {
        return 1e6 / rate.median();
    }
}
