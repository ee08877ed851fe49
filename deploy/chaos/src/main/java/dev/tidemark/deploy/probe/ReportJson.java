package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.util.OptionalDouble;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** A report as JSON, for programs. Times are in seconds; what is not known is null. */
public final class ReportJson {
    private ReportJson() {}

    public static ObjectNode of(ProbeReport report) {
        ProbeReport.Writes writes = report.writes();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("honest", report.isHonest()).put("table", report.table()).put("index", report.index());
        json.put("ranSeconds", seconds(report.ran())).put("toleranceSeconds", seconds(report.tolerance()));
        ObjectNode outcomes = json.putObject("writes").put("acknowledged", writes.acknowledged());
        outcomes.put("refused", writes.refused()).put("uncertain", writes.uncertain());
        json.put("answers", report.answers()).put("answersThatWentBack", report.wentBack());
        json.put("judged", report.judged()).put("underReported", report.underReported());
        json.put("worstTrueSeconds", report.worstTruth()).put("trueStalenessSeconds", seconds(report.staleness()));
        json.set("visibilitySeconds", spread(report.visibility()));
        json.set("workerAway", away(report.worker()));
        json.set("writerAway", away(report.writer()));
        ArrayNode sources = json.putArray("sources");
        report.sources().forEach(source -> sources.add(source(source)));
        ArrayNode lies = json.putArray("lies");
        report.lies().forEach(underReport -> lies.add(lie(underReport)));
        return json;
    }

    private static ObjectNode source(ProbeReport.SourceReport report) {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("source", report.source().label()).put("allowanceSeconds", seconds(report.allowance()));
        json.put("samples", report.claims()).put("judged", report.judged());
        json.put("underReported", report.underReported()).put("unknown", report.unknown());
        json.put("notJudged", report.notJudged()).put("unanswered", report.unanswered());
        json.set("reportedMinusTrueSeconds", spread(report.difference()));
        return json;
    }

    private static ObjectNode lie(ProbeReport.UnderReport underReport) {
        CanaryLedger.Canary missing = underReport.missing();
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("source", underReport.source().label()).put("atSeconds", seconds(underReport.at()));
        json.put("reportedSeconds", underReport.said()).put("trueSeconds", underReport.truth());
        json.put("missingVersion", missing.version().toString()).put("missingPartition", missing.partition());
        return json.put("missingAcknowledgedAt", missing.acknowledged().toString());
    }

    private static ObjectNode away(ProbeReport.Away away) {
        return JsonNodeFactory.instance.objectNode().put("times", away.times()).put("seconds", seconds(away.total()));
    }

    private static ObjectNode spread(Distribution.DistributionSummary spread) {
        ObjectNode json = JsonNodeFactory.instance.objectNode().put("count", spread.count());
        put(json, "min", spread.min());
        put(json, "p50", spread.p50());
        put(json, "p99", spread.p99());
        put(json, "max", spread.max());
        return json;
    }

    private static void put(ObjectNode json, String name, OptionalDouble number) {
        json.put(name, number.isPresent() ? Double.valueOf(number.getAsDouble()) : null);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / 1e9;
    }
}
