package dev.tidemark.deploy.bench;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.VisibilityBenchmark.Comparison;
import dev.tidemark.deploy.bench.VisibilityBenchmark.Plan;
import dev.tidemark.deploy.bench.VisibilityFigures.Measure;

/**
 * All figures of the visibility benchmark. Times in JSON are in seconds.
 *
 * @param cost of timing every change; empty where it was not wanted
 * @param loadAfter as in {@link Machine#load()}, at the end: the benchmark's own work is in it
 */
record VisibilityReport(
        Machine machine, Plan plan, List<Comparison> comparisons, Optional<Cost> cost, double loadAfter) {
    private static final List<String> STAGES = List.of("committer", "outbox", "kafka", "queue", "apply");

    Report report() {
        String heading = String.format(
                Locale.ROOT,
                "%s; ratios are of medians; %d s each, load %.1f after",
                machine.heading(CustomerRow.CUSTOMERS, plan.rounds()),
                plan.time().toSeconds(),
                loadAfter);
        Report report = new Report("visibility", machine, heading);
        report.table(
                List.of("changes/s", "beside", "quantile", "bare loop", "Tidemark", "ratio"),
                rows(each -> Stream.of(Baseline.values())
                        .flatMap(baseline -> VisibilityFigures.QUANTILES.stream()
                                .map(quantile -> ratio(each, baseline, quantile)))));
        report.table(
                "Tidemark from inside and from outside:",
                List.of("changes/s", "from, to", "p50", "p99"),
                rows(each -> Stream.of(Measure.values()).map(measure -> outside(each, measure))));
        report.table(
                "Where the time goes, mean of a change in each stage:",
                List.of("changes/s", "stage", "mean"),
                rows(each -> STAGES.stream().flatMap(stage -> stage(each, stage))));
        cost.ifPresent(found -> report.sentence(sentence(found)));
        into(report.json());
        return report;
    }

    private List<List<String>> rows(Function<Comparison, Stream<List<String>>> ofRate) {
        return comparisons.stream().flatMap(ofRate).toList();
    }

    private static List<String> ratio(Comparison each, Baseline baseline, String quantile) {
        return List.of(
                rate(each),
                baseline.label(),
                quantile,
                Numbers.millis(each.rounds().spread(baseline.label(), Measure.VISIBILITY.at(quantile))),
                Numbers.millis(each.own(Measure.VISIBILITY, quantile)),
                Numbers.hundredths(each.ratio(baseline, quantile)));
    }

    private static List<String> outside(Comparison each, Measure measure) {
        return List.of(
                rate(each),
                measure.label(),
                Numbers.millis(each.own(measure, "p50")),
                Numbers.millis(each.own(measure, "p99")));
    }

    /** A row of a stage; none where no round had it. */
    private static Stream<List<String>> stage(Comparison each, String stage) {
        return each.rounds().known(Contender.TIDEMARK, VisibilityFigures.stage(stage)).stream()
                .map(mean -> List.of(rate(each), stage, Numbers.millis(mean)));
    }

    private static String rate(Comparison comparison) {
        return Numbers.whole(comparison.load().perSecond());
    }

    private static String sentence(Cost cost) {
        return "Timing every change costs "
                + cost.ratio().text(ratio -> Numbers.tenths((ratio - 1) * 100), " %")
                + " of the applying thread's processor time (" + Cost.micros(cost.first())
                + " a change with the listeners, " + Cost.micros(cost.second()) + " without).";
    }

    private void into(ObjectNode json) {
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
    }

    private static void into(ObjectNode json, Comparison comparison) {
        json.put("changesPerSecond", comparison.load().perSecond())
                .put("changesPerRequest", comparison.load().burst());
        Rounds rounds = comparison.rounds();
        ArrayNode stages = into(json.putObject("tidemark"), rounds, Contender.TIDEMARK, Measure.VISIBILITY)
                .putArray("stageMeanSeconds");
        for (Map<Figure, Double> round : rounds.of(Contender.TIDEMARK)) {
            ObjectNode means = stages.addObject();
            STAGES.forEach(stage -> Optional.ofNullable(round.get(VisibilityFigures.stage(stage)))
                    .ifPresent(mean -> means.put(stage, mean)));
        }
        for (Baseline baseline : Baseline.values()) {
            into(json.putObject(baseline.key()), rounds, baseline.label(), Measure.VISIBILITY)
                    .put("lingerMillis", baseline.lingerMillis())
                    .putObject("ratio")
                    .put("p50", comparison.ratio(baseline, "p50"))
                    .put("p99", comparison.ratio(baseline, "p99"));
        }
        ObjectNode outside = json.putObject("tidemarkFromOutside");
        for (Measure each : List.of(Measure.SENT_TO_SEEN, Measure.ANSWERED_TO_SEEN)) {
            if (rounds.of(Contender.TIDEMARK).stream().allMatch(round -> round.containsKey(each.at("p50")))) {
                into(outside.putObject(each.key()), rounds, Contender.TIDEMARK, each);
            }
        }
    }

    /** Puts both quantiles of a measure into JSON: their medians, and all rounds. */
    private static ObjectNode into(ObjectNode json, Rounds rounds, String name, Measure measure) {
        for (String quantile : VisibilityFigures.QUANTILES) {
            List<Double> all = rounds.values(name, measure.at(quantile));
            json.set(quantile + "Seconds", RoundSpread.of(all).json("").set("rounds", Report.tree(all)));
        }
        return json;
    }
}
