package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as a section of a Markdown file. */
public final class VisibilityMarkdown {
    private VisibilityMarkdown() {}

    /** The lines of the section. */
    public static List<String> of(VisibilityReport report) {
        Machine machine = report.machine();
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "Run at %s on %d processors (%s) with %s of memory; %s; Java %s. Load average %.1f before and %.1f after.",
                machine.at(),
                machine.processors(),
                machine.processor(),
                machine.memory(),
                machine.system(),
                machine.java(),
                machine.load(),
                report.loadAfter()));
        lines.add(String.format(
                Locale.ROOT,
                "Medians of %d rounds of %d s each, smallest and largest in parentheses; ratios are of medians.",
                report.plan().rounds(),
                report.plan().time().toSeconds()));
        lines.add("");
        lines.addAll(MarkdownTable.of(Figures.HEADER, Figures.rows(report)));
        lines.add("");
        lines.add("Tidemark from inside and from outside:");
        lines.add("");
        lines.addAll(MarkdownTable.of(Figures.OUTSIDE_HEADER, Figures.outside(report)));
        lines.add("");
        lines.add("Where the time goes, mean of a change in each stage:");
        lines.add("");
        lines.addAll(MarkdownTable.of(Figures.STAGE_HEADER, Figures.stages(report)));
        ApplyCost cost = report.applyCost();
        if (cost != null) {
            lines.add("");
            lines.add(Figures.sentence(cost));
        }
        return lines;
    }
}
