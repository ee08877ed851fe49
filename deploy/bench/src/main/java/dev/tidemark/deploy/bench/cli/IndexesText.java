package dev.tidemark.deploy.bench.cli;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.deploy.bench.apply.IndexesReport;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;

/** What each index that is added costs, for people. */
public final class IndexesText {
    private IndexesText() {}

    /** The lines of a report. */
    public static List<String> render(IndexesReport report, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(report.heading());
        TextTable table = new TextTable(IndexesReport.header());
        report.rows()
                .forEach(row -> table.add(row.stream().map(TextTable.Cell::of).toList()));
        lines.addAll(table.render(terminal));
        return lines;
    }
}
