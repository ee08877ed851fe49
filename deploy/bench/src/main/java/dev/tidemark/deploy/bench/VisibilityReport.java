package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * All figures of the visibility benchmark. Times in JSON are in seconds.
 *
 * @param cost of timing every change; empty where it was not wanted
 * @param loadAfter as in {@link Machine#load()}, at the end: the benchmark's own work is in it
 */
record VisibilityReport(
        Machine machine,
        VisibilityBenchmark.Plan plan,
        List<Comparison> comparisons,
        Optional<Cost> cost,
        double loadAfter) {
    private static final List<String> STAGES = List.of("committer", "outbox", "kafka", "queue", "apply");

    VisibilityReport {
        comparisons = List.copyOf(comparisons);
    }

    Report report() {
        String heading = String.format(
                Locale.ROOT,
                "%s; ratios are of medians; %d s each, load %.1f after",
                machine.heading(CustomerRow.CUSTOMERS, plan.rounds()),
                plan.time().toSeconds(),
                loadAfter);
        List<Report.Part> parts = new ArrayList<>();
        parts.add(new Report.Table(
                "", List.of("changes/s", "beside", "quantile", "bare loop", "Tidemark", "ratio"), ratios()));
        parts.add(new Report.Table(
                "Tidemark from inside and from outside:", List.of("changes/s", "from, to", "p50", "p99"), outside()));
        parts.add(new Report.Table(
                "Where the time goes, mean of a change in each stage:",
                List.of("changes/s", "stage", "mean"),
                stages()));
        cost.ifPresent(found -> parts.add(new Report.Notes(List.of(sentence(found)))));
        return new Report(heading, parts, json());
    }

    /** A row for each rate, bare loop and quantile. */
    private List<List<String>> ratios() {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison each : comparisons) {
            for (Baseline baseline : Baseline.values()) {
                for (Round.Quantile quantile : Round.Quantile.values()) {
                    rows.add(List.of(
                            rate(each),
                            baseline.label(),
                            quantile.label(),
                            millis(each, baseline.label(), Round.Measure.VISIBILITY, quantile),
                            millis(each, Contender.TIDEMARK, Round.Measure.VISIBILITY, quantile),
                            Numbers.hundredths(each.ratio(baseline, quantile))));
                }
            }
        }
        return rows;
    }

    /** A row for each rate and measure taken from outside. */
    private List<List<String>> outside() {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison each : comparisons) {
            for (Round.Measure measure : Round.Measure.values()) {
                rows.add(List.of(
                        rate(each),
                        measure.label(),
                        millis(each, Contender.TIDEMARK, measure, Round.Quantile.P50),
                        millis(each, Contender.TIDEMARK, measure, Round.Quantile.P99)));
            }
        }
        return rows;
    }

    /** A row for each rate and stage. */
    private List<List<String>> stages() {
        List<List<String>> rows = new ArrayList<>();
        for (Comparison each : comparisons) {
            for (String stage : STAGES) {
                List<Double> means = each.of(Contender.TIDEMARK).stream()
                        .flatMap(round -> Stream.ofNullable(round.stageMeans().get(stage)))
                        .toList();
                if (!means.isEmpty()) {
                    rows.add(List.of(rate(each), stage, Numbers.millis(RoundSpread.of(means))));
                }
            }
        }
        return rows;
    }

    private static String rate(Comparison comparison) {
        return Numbers.whole(comparison.load().perSecond());
    }

    private static String millis(Comparison each, String system, Round.Measure measure, Round.Quantile quantile) {
        return Numbers.millis(each.spread(system, measure, quantile));
    }

    private static String sentence(Cost cost) {
        return "Timing every change costs "
                + cost.ratio().text(ratio -> Numbers.tenths((ratio - 1) * 100), " %")
                + " of the applying thread's processor time (" + Cost.micros(cost.first())
                + " a change with the listeners, " + Cost.micros(cost.second()) + " without).";
    }

    private ObjectNode json() {
        ObjectNode json = Report.members("visibility", machine);
        json.putObject("machine")
                .put("processor", machine.processor())
                .put("processors", machine.processors())
                .put("memory", machine.memory())
                .put("system", machine.system())
                .put("java", machine.java())
                .put("loadBefore", machine.load())
                .put("loadAfter", loadAfter);
        json.put("rounds", plan.rounds()).put("secondsPerRound", plan.time().toNanos() / 1e9);
        ArrayNode rates = json.putArray("rates");
        comparisons.forEach(each -> into(rates.addObject(), each));
        cost.ifPresent(found -> json.putObject("observation")
                .put("attachedNanos", found.first().median())
                .put("detachedNanos", found.second().median())
                .put("share", found.ratio().median() - 1)
                .put("leastShare", found.ratio().min() - 1)
                .put("mostShare", found.ratio().max() - 1));
        return json;
    }

    private static void into(ObjectNode json, Comparison comparison) {
        json.put("changesPerSecond", comparison.load().perSecond())
                .put("changesPerRequest", comparison.load().burst());
        List<Round> own = comparison.of(Contender.TIDEMARK);
        into(json.putObject("tidemark"), own, Round.Measure.VISIBILITY)
                .set(
                        "stageMeanSeconds",
                        Report.tree(own.stream().map(Round::stageMeans).toList()));
        for (Baseline baseline : Baseline.values()) {
            into(json.putObject(baseline.key()), comparison.of(baseline.label()), Round.Measure.VISIBILITY)
                    .put("lingerMillis", baseline.lingerMillis())
                    .putObject("ratio")
                    .put("p50", comparison.ratio(baseline, Round.Quantile.P50))
                    .put("p99", comparison.ratio(baseline, Round.Quantile.P99));
        }
        ObjectNode outside = json.putObject("tidemarkFromOutside");
        for (Round.Measure each : List.of(Round.Measure.SENT_TO_SEEN, Round.Measure.ANSWERED_TO_SEEN)) {
            if (own.stream().allMatch(round -> round.get(each).count() > 0)) {
                into(outside.putObject(each.name().toLowerCase(Locale.ROOT)), own, each);
            }
        }
    }

    /** Puts both quantiles of a measure into JSON: their medians, and all rounds. */
    private static ObjectNode into(ObjectNode json, List<Round> rounds, Round.Measure measure) {
        for (Round.Quantile quantile : Round.Quantile.values()) {
            List<Double> all = rounds.stream()
                    .map(round -> round.get(measure).get(quantile))
                    .toList();
            json.set(quantile.label() + "Seconds", RoundSpread.of(all).json("").set("rounds", Report.tree(all)));
        }
        return json;
    }
}
