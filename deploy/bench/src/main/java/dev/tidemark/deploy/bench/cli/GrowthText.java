package dev.tidemark.deploy.bench.cli;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.deploy.bench.growth.GrowthReport;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;

/** Renders the results of a growing worker as text. */
public final class GrowthText {
    private GrowthText() {}

    /** The lines of a report. */
    public static List<String> render(GrowthReport report, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(report.heading());
        TextTable table = new TextTable(GrowthReport.header());
        report.rows()
                .forEach(row -> table.add(row.stream().map(TextTable.Cell::of).toList()));
        lines.addAll(table.render(terminal));
        lines.addAll(report.trends());
        return lines;
    }
}
