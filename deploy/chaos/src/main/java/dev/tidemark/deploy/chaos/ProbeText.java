package dev.tidemark.deploy.chaos;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;

import dev.tidemark.deploy.probe.Distribution.DistributionSummary;
import dev.tidemark.deploy.probe.ProbeReport;
import dev.tidemark.deploy.probe.ProbeReport.SourceReport;
import dev.tidemark.deploy.probe.ProbeReport.UnderReport;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;
import dev.tidemark.deploy.text.Tint;

/** What a prober found, for people. */
public final class ProbeText {
    private static final int SHOWN_LIES = 5;
    private static final String COLUMNS =
            "source,allowed,judged,too small,unknown,no answer,not judged,- true min,p50,p99,max";

    private ProbeText() {}

    /** One line while it runs. */
    public static String progress(ProbeReport report) {
        return Amounts.duration(report.ran()) + "  "
                + Amounts.count(report.writes().acknowledged()) + " writes  "
                + Amounts.count(report.judged()) + " judged  "
                + Amounts.count(report.underReported()) + " too small  visible p50 "
                + amount(report.visibility().p50())
                + (report.worker().total().isZero()
                        ? ""
                        : "  worker away " + Amounts.duration(report.worker().total()));
    }

    /** The whole report. */
    public static List<String> render(ProbeReport report, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(report.index() + ", watched for " + Amounts.duration(report.ran()));
        lines.add("");
        lines.addAll(sources(report, terminal));
        lines.add("");
        ProbeReport.Writes writes = report.writes();
        lines.add("writes      " + Amounts.count(writes.acknowledged()) + " acknowledged, "
                + Amounts.count(writes.refused()) + " refused, "
                + Amounts.count(writes.uncertain()) + " without an answer");
        DistributionSummary visible = report.visibility();
        lines.add("visible     p50 " + amount(visible.p50()) + ", p99 " + amount(visible.p99()) + ", max "
                + amount(visible.max()) + " after the acknowledgement, in " + Amounts.count(report.answers())
                + " answers");
        lines.add("worst       " + Amounts.seconds(report.worstTruth()) + " of real staleness");
        lines.add("away        worker " + away(report.worker()) + ", writer " + away(report.writer()));
        if (report.wentBack() > 0) {
            lines.add("went back   " + Amounts.count(report.wentBack())
                    + " answers showed an older row than an answer before");
        }
        report.lies().stream().limit(SHOWN_LIES).forEach(underReport -> lines.add(lie(underReport)));
        lines.add("");
        lines.add(verdict(report, terminal));
        return lines;
    }

    private static List<String> sources(ProbeReport report, Terminal terminal) {
        TextTable table = new TextTable(List.of(COLUMNS.split(",", -1)));
        for (SourceReport source : report.sources()) {
            DistributionSummary difference = source.difference();
            table.add(List.of(
                    TextTable.Cell.of(source.source().label()),
                    TextTable.Cell.of(Amounts.duration(source.allowance())),
                    TextTable.Cell.of(Amounts.count(source.judged())),
                    new TextTable.Cell(
                            Amounts.count(source.underReported()), source.underReported() > 0 ? Tint.RED : Tint.GREEN),
                    TextTable.Cell.of(Amounts.count(source.unknown())),
                    TextTable.Cell.of(Amounts.count(source.unanswered())),
                    TextTable.Cell.of(Amounts.count(source.notJudged())),
                    TextTable.Cell.of(amount(difference.min())),
                    TextTable.Cell.of(amount(difference.p50())),
                    TextTable.Cell.of(amount(difference.p99())),
                    TextTable.Cell.of(amount(difference.max()))));
        }
        return table.render(terminal);
    }

    private static String lie(UnderReport underReport) {
        return "too small   "
                + String.format(Locale.ROOT, "at %.3f s ", underReport.at().toNanos() / 1e9)
                + underReport.source().label() + " said " + amount(OptionalDouble.of(underReport.said()))
                + ", true was at least "
                + Amounts.seconds(underReport.truth()) + ": version "
                + underReport.missing().version() + " of partition "
                + underReport.missing().partition() + " was not visible";
    }

    private static String verdict(ProbeReport report, Terminal terminal) {
        if (report.judged() == 0) {
            return terminal.tinted("nothing could be judged", Tint.RED);
        }
        String tolerance = " by more than is allowed";
        return report.isHonest()
                ? terminal.tinted("honest: nothing was too small" + tolerance, Tint.GREEN)
                : terminal.tinted(
                        Amounts.count(report.underReported(), "number was", "numbers were") + " too small" + tolerance,
                        Tint.RED);
    }

    private static String away(ProbeReport.Away away) {
        return away.times() == 0
                ? "never"
                : Amounts.duration(away.total()) + " (" + Amounts.count(away.times(), "time", "times") + ")";
    }

    private static String amount(OptionalDouble seconds) {
        if (seconds.isEmpty()) {
            return "-";
        }
        double value = seconds.getAsDouble();
        return value < 0 ? "-" + Amounts.seconds(-value) : Amounts.seconds(value);
    }
}
