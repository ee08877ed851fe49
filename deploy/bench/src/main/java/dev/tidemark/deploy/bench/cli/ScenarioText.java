package dev.tidemark.deploy.bench.cli;

import java.util.ArrayList;
import java.util.List;

import dev.tidemark.deploy.bench.scenario.ScenarioReport;
import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;

/** The report of a race, for people. */
public final class ScenarioText {
    private ScenarioText() {}

    /** The lines of a report. */
    public static List<String> render(ScenarioReport report, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        lines.add(report.heading());
        if (!report.outcomes().isEmpty()) {
            TextTable table = new TextTable(ScenarioReport.header());
            report.rows()
                    .forEach(row ->
                            table.add(row.stream().map(TextTable.Cell::of).toList()));
            lines.addAll(table.render(terminal));
        }
        lines.addAll(report.leftOut());
        return lines;
    }
}
