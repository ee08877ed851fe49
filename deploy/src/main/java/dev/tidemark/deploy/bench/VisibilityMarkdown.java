package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** A report as a section of a Markdown file: what stands between its two marks is replaced, the rest stays. */
public final class VisibilityMarkdown {
    private static final String BEGIN = "<!-- visibility: written by tidemark bench visibility --report -->";
    private static final String END = "<!-- end of visibility -->";

    private VisibilityMarkdown() {}

    /** Puts the report into the file; at its end when it has no such section yet. */
    public static void write(VisibilityReport report, Path file) throws IOException {
        String before = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        Files.writeString(file, replaced(before, of(report)), StandardCharsets.UTF_8);
    }

    static String replaced(String before, List<String> section) {
        String text = BEGIN + "\n" + String.join("\n", section) + "\n" + END;
        int begin = before.indexOf(BEGIN);
        int end = before.indexOf(END);
        if (begin < 0 || end < begin) {
            return before.isEmpty() ? text + "\n" : before.stripTrailing() + "\n\n" + text + "\n";
        }
        return before.substring(0, begin) + text + before.substring(end + END.length());
    }

    static List<String> of(VisibilityReport report) {
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
        table(lines, Figures.HEADER, Figures.rows(report));
        lines.add("");
        lines.add("Tidemark from inside and from outside:");
        lines.add("");
        table(lines, Figures.OUTSIDE_HEADER, Figures.outside(report));
        lines.add("");
        lines.add("Where the time goes, mean of a change in each stage:");
        lines.add("");
        table(lines, Figures.STAGE_HEADER, Figures.stages(report));
        ApplyCost cost = report.applyCost();
        if (cost != null) {
            lines.add("");
            lines.add(Figures.sentence(cost));
        }
        return lines;
    }

    private static void table(List<String> lines, List<String> header, List<List<String>> rows) {
        lines.add(row(header));
        lines.add(row(header.stream().map(name -> "---").toList()));
        rows.forEach(row -> lines.add(row(row)));
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
