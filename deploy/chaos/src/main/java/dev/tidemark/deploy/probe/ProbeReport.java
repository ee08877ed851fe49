package dev.tidemark.deploy.probe;

import java.time.Duration;
import java.util.List;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

/**
 * What a prober found.
 *
 * @param table watched
 * @param index watched, written {@code table.index}
 * @param ran for how long
 * @param tolerance one sampling period: how much too small a claim may be
 * @param writes outcomes of its writes
 * @param answers queries that were answered
 * @param wentBack answers that showed an older row than an answer before
 * @param visibility acknowledgement to visible in an answer, seconds; an upper bound, by up to one query interval
 * @param worstTruth largest real staleness that is certain, seconds
 * @param staleness how old the oldest change is that no answer has shown yet; zero when all were shown
 * @param worker how long the workers did not answer queries, each counted for itself
 * @param writer how long the writer did not take writes
 * @param sources how honest each was
 * @param lies the first claims of each source that were too small
 */
public record ProbeReport(
        String table,
        String index,
        Duration ran,
        Duration tolerance,
        Writes writes,
        long answers,
        long wentBack,
        Distribution.DistributionSummary visibility,
        double worstTruth,
        Duration staleness,
        Away worker,
        Away writer,
        List<SourceReport> sources,
        List<UnderReport> lies) {

    /**
     * Number of the prober's writes by outcome.
     *
     * @param acknowledged committed, as the writer said
     * @param refused not committed, as the writer said
     * @param uncertain without an answer; committed or not
     */
    public record Writes(long acknowledged, long refused, long uncertain) {}

    /**
     * How long a service was away.
     *
     * @param times how often it went
     * @param total all of it together
     */
    public record Away(long times, Duration total) {
        private ObjectNode json() {
            return JsonNodeFactory.instance.objectNode().put("times", times).put("seconds", Verdicts.seconds(total));
        }
    }

    public ProbeReport {
        sources = List.copyOf(sources);
        lies = List.copyOf(lies);
    }

    /** Claims that were too small, of all sources. */
    public long underReported() {
        return sources.stream().mapToLong(SourceReport::underReported).sum();
    }

    /** Claims held against the truth, of all sources. */
    public long judged() {
        return sources.stream().mapToLong(SourceReport::judged).sum();
    }

    /** What one source did. */
    public SourceReport source(Source source) {
        return sources.stream()
                .filter(report -> report.source() == source)
                .findFirst()
                .orElseThrow();
    }

    /** Whether something was judged and nothing was too small. */
    public boolean isHonest() {
        return underReported() == 0 && judged() > 0;
    }

    /** The report for programs. Times are in seconds; what is not known is null. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("honest", isHonest()).put("table", table).put("index", index);
        json.put("ranSeconds", Verdicts.seconds(ran)).put("toleranceSeconds", Verdicts.seconds(tolerance));
        ObjectNode outcomes = json.putObject("writes").put("acknowledged", writes.acknowledged());
        outcomes.put("refused", writes.refused()).put("uncertain", writes.uncertain());
        json.put("answers", answers).put("answersThatWentBack", wentBack);
        json.put("judged", judged()).put("underReported", underReported());
        json.put("worstTrueSeconds", worstTruth).put("trueStalenessSeconds", Verdicts.seconds(staleness));
        json.set("visibilitySeconds", visibility.json());
        json.set("workerAway", worker.json());
        json.set("writerAway", writer.json());
        json.putArray("sources").addAll(sources.stream().map(SourceReport::json).toList());
        json.putArray("lies").addAll(lies.stream().map(UnderReport::json).toList());
        return json;
    }

    /**
     * How honest one source was.
     *
     * @param source which
     * @param allowance by how much a claim of it may be too small: one sampling period of that source
     * @param claims how many it made, "unknown" included
     * @param judged those held against the truth
     * @param underReported those that were smaller than the truth by more than the allowance; must be 0
     * @param unknown claims that said "unknown", which is honest
     * @param notJudged claims about a moment at which the true staleness is unknown
     * @param unanswered questions without an answer, which is honest too
     * @param difference reported minus true, over those judged
     */
    public record SourceReport(
            Source source,
            Duration allowance,
            long claims,
            long judged,
            long underReported,
            long unknown,
            long notJudged,
            long unanswered,
            Distribution.DistributionSummary difference) {
        private ObjectNode json() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("source", source.label()).put("allowanceSeconds", Verdicts.seconds(allowance));
            json.put("samples", claims).put("judged", judged).put("underReported", underReported);
            json.put("unknown", unknown).put("notJudged", notJudged).put("unanswered", unanswered);
            json.set("reportedMinusTrueSeconds", difference.json());
            return json;
        }
    }

    /**
     * A claim that was too small.
     *
     * @param source who made it
     * @param at since the start of the prober
     * @param said seconds
     * @param truth seconds; the real staleness was at least this
     * @param missing the oldest acknowledged write that was not visible then
     */
    public record UnderReport(Source source, Duration at, double said, double truth, CanaryLedger.Canary missing) {
        private ObjectNode json() {
            ObjectNode json = JsonNodeFactory.instance.objectNode();
            json.put("source", source.label()).put("atSeconds", Verdicts.seconds(at));
            json.put("reportedSeconds", said).put("trueSeconds", truth);
            json.put("missingVersion", missing.version().toString()).put("missingPartition", missing.partition());
            return json.put("missingAcknowledgedAt", missing.acknowledged().toString());
        }
    }
}
