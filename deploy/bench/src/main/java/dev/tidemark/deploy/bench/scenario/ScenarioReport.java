package dev.tidemark.deploy.bench.scenario;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.Report;

/**
 * The results of a scenario.
 *
 * @param results one for each figure; none when the scenario could not run
 * @param leftOut what was left out, and why; a sentence each
 */
record ScenarioReport(
        Machine machine, Scenario scenario, ScenarioSize size, List<FigureResult> results, List<String> leftOut) {
    private static final List<String> HEADER = List.of("what", "beside", "the other", "Tidemark", "ratio");

    ScenarioReport {
        results = List.copyOf(results);
        leftOut = List.copyOf(leftOut);
    }

    Report report() {
        ObjectNode json = Report.members(scenario.label(), machine)
                .put("rows", size.rows())
                .put("rounds", size.rounds())
                .put("beside", scenario.baseline());
        results.forEach(result -> result.into(json));
        json.set("leftOut", Report.tree(leftOut));
        List<Report.Part> parts = new ArrayList<>();
        if (!results.isEmpty()) {
            parts.add(new Report.Table(
                    "",
                    HEADER,
                    results.stream()
                            .map(result -> result.cells(scenario.baseline()))
                            .toList()));
        }
        leftOut.forEach(sentence -> parts.add(new Report.Notes(List.of(sentence))));
        parts.add(new Report.Notes(scenario.description()
                .replaceAll(" --rows.*", "")
                .lines()
                .skip(1)
                .toList()));
        long seconds = size.time().toSeconds();
        String heading = machine.heading(size.rows(), size.rounds());
        return new Report(seconds > 1 ? heading + ", " + seconds + " s each" : heading, parts, json);
    }
}
