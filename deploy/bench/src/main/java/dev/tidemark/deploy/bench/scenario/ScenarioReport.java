package dev.tidemark.deploy.bench.scenario;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.bench.Machine;
import dev.tidemark.deploy.bench.MarkdownTable;

/**
 * The results of a scenario.
 *
 * @param outcomes one for each figure; none when the course could not be run
 * @param leftOut what was left out, and why; a sentence each
 */
public record ScenarioReport(
        Machine machine, Scenario course, ScenarioSize size, List<FigureResult> outcomes, List<String> leftOut) {
    private static final List<String> HEADER = List.of("what", "beside", "the other", "Tidemark", "ratio");

    public ScenarioReport {
        outcomes = List.copyOf(outcomes);
        leftOut = List.copyOf(leftOut);
    }

    /** The titles of {@link #rows}. */
    public static List<String> header() {
        return HEADER;
    }

    /** A row of cells for each figure. */
    public List<List<String>> rows() {
        return outcomes.stream().map(outcome -> outcome.cells(course.peer())).toList();
    }

    /** Where and how it was run. */
    public String heading() {
        return machine.heading(size.rows(), size.rounds())
                + (size.time().toSeconds() > 1
                        ? String.format(Locale.ROOT, ", %d s each", size.time().toSeconds())
                        : "");
    }

    /** As a section of a Markdown file. */
    public List<String> markdown() {
        List<String> lines = new ArrayList<>();
        lines.add("Run at " + heading() + ".");
        lines.add("");
        if (!outcomes.isEmpty()) {
            lines.addAll(MarkdownTable.of(HEADER, rows()));
            lines.add("");
        }
        lines.addAll(leftOut);
        lines.add(course.details().replaceAll(" --rows.*", ""));
        return lines;
    }

    /** The same for programs. */
    public ObjectNode json() {
        ObjectNode json = JsonNodeFactory.instance.objectNode();
        json.put("benchmark", course.label()).put("at", machine.at().toString());
        json.put("rows", size.rows()).put("rounds", size.rounds());
        json.put("beside", course.peer());
        outcomes.forEach(outcome -> outcome.into(json));
        leftOut.forEach(json.putArray("leftOut")::add);
        return json;
    }
}
