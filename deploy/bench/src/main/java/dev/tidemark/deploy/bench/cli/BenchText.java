package dev.tidemark.deploy.bench.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import dev.tidemark.deploy.bench.ApplyCost;
import dev.tidemark.deploy.bench.Figures;
import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.VisibilityReport;
import dev.tidemark.deploy.text.Amounts;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;

/** A report of a benchmark, for people. */
public final class BenchText {
    private BenchText() {}

    /** The lines of a report. */
    public static List<String> render(VisibilityReport report, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        Machine machine = report.machine();
        lines.add(String.format(
                Locale.ROOT,
                "%d processors (%s), load %.1f before and %.1f after; medians of %d rounds of %s, smallest and largest in"
                        + " parentheses",
                machine.processors(),
                machine.processor(),
                machine.load(),
                report.loadAfter(),
                report.plan().rounds(),
                Amounts.duration(report.plan().time())));
        lines.addAll(table(Figures.HEADER, Figures.rows(report), terminal));
        lines.add("");
        lines.add("Tidemark from inside and from outside:");
        lines.addAll(table(Figures.OUTSIDE_HEADER, Figures.outside(report), terminal));
        lines.add("");
        lines.add("Mean of a change in each stage:");
        lines.addAll(table(Figures.STAGE_HEADER, Figures.stages(report), terminal));
        ApplyCost cost = report.applyCost();
        if (cost != null) {
            lines.add("");
            lines.add(Figures.sentence(cost));
        }
        return lines;
    }

    private static List<String> table(List<String> header, List<List<String>> rows, Terminal terminal) {
        TextTable table = new TextTable(header);
        rows.forEach(row -> table.add(row.stream().map(TextTable.Cell::of).toList()));
        return table.render(terminal);
    }
}
