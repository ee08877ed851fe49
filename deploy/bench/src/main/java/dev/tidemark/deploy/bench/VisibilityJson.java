package dev.tidemark.deploy.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A report as JSON, for programs. Times are in seconds. */
public final class VisibilityJson {
    private VisibilityJson() {}

    public static ObjectNode of(VisibilityReport report) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", "visibility");
        Machine machine = report.machine();
        json.put("at", machine.at().toString());
        json.putObject("machine")
                .put("processor", machine.processor())
                .put("processors", machine.processors())
                .put("memory", machine.memory())
                .put("system", machine.system())
                .put("java", machine.java())
                .put("loadBefore", machine.load())
                .put("loadAfter", report.loadAfter());
        json.put("rounds", report.plan().rounds());
        json.put("secondsPerRound", report.plan().time().toNanos() / 1e9);
        ArrayNode rates = json.putArray("rates");
        report.comparisons().forEach(each -> rates.add(comparison(each)));
        ApplyCost cost = report.applyCost();
        if (cost != null) {
            json.putObject("observation")
                    .put("attachedNanos", cost.attached().median())
                    .put("detachedNanos", cost.detached().median())
                    .put("share", cost.share().median())
                    .put("leastShare", cost.share().min())
                    .put("mostShare", cost.share().max());
        }
        return json;
    }

    private static ObjectNode comparison(Comparison comparison) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("changesPerSecond", comparison.load().perSecond());
        json.put("changesPerRequest", comparison.load().burst());
        ObjectNode tidemark = measure(comparison.tidemark(), Round.Measure.VISIBILITY);
        ArrayNode stages = tidemark.putArray("stageMeanSeconds");
        comparison.tidemark().forEach(round -> round.stageMeans().forEach(stages.addObject()::put));
        json.set("tidemark", tidemark);
        comparison.peers().forEach((peer, rounds) -> {
            ObjectNode one = measure(rounds, Round.Measure.VISIBILITY);
            one.put("lingerMillis", peer.lingerMillis());
            one.putObject("ratio").put("p50", comparison.p50Ratio(peer)).put("p99", comparison.p99Ratio(peer));
            json.set(peer.key(), one);
        });
        ObjectNode outside = json.putObject("tidemarkFromOutside");
        for (Round.Measure each : List.of(Round.Measure.SENT_TO_SEEN, Round.Measure.ANSWERED_TO_SEEN)) {
            if (comparison.tidemark().stream().allMatch(round -> round.get(each).count() > 0)) {
                outside.set(each.name().toLowerCase(Locale.ROOT), measure(comparison.tidemark(), each));
            }
        }
        return json;
    }

    private static ObjectNode measure(List<Round> rounds, Round.Measure measure) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.set("p50Seconds", quantile(rounds, measure, Round.Quantiles::p50));
        json.set("p99Seconds", quantile(rounds, measure, Round.Quantiles::p99));
        return json;
    }

    private static ObjectNode quantile(
            List<Round> rounds, Round.Measure measure, ToDoubleFunction<Round.Quantiles> quantile) {
        RoundSpread spread = Comparison.spread(rounds, measure, quantile);
        ObjectNode json = JsonNodeFactory.instance
                .objectNode()
                .put("median", spread.median())
                .put("min", spread.min())
                .put("max", spread.max());
        ArrayNode all = json.putArray("rounds");
        rounds.forEach(round -> all.add(quantile.applyAsDouble(round.get(measure))));
        return json;
    }
}
