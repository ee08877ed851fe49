package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;

/**
 * The result of a benchmark.
 *
 * @param heading where and how it ran, one sentence without its stop
 * @param parts the figures for people
 * @param json the figures for programs
 */
public record Report(String heading, List<Part> parts, ObjectNode json) {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    /** A part of the text, rendered in its order. */
    public sealed interface Part permits Table, Notes {
        /** The lines in Markdown. */
        List<String> markdown();

        /** The lines for a terminal. */
        List<String> text(Terminal terminal);
    }

    /**
     * Figures in columns.
     *
     * @param title a line above the table; empty for none
     * @param rows each with as many cells as the header
     */
    public record Table(String title, List<String> header, List<List<String>> rows) implements Part {
        public Table {
            header = List.copyOf(header);
            rows = List.copyOf(rows);
        }

        @Override
        public List<String> markdown() {
            List<String> lines = new ArrayList<>(title.isEmpty() ? List.of() : List.of(title, ""));
            lines.add(row(header));
            lines.add(row(header.stream().map(name -> "---").toList()));
            rows.forEach(cells -> lines.add(row(cells)));
            return lines;
        }

        @Override
        public List<String> text(Terminal terminal) {
            TextTable table = new TextTable(header);
            rows.forEach(
                    cells -> table.add(cells.stream().map(TextTable.Cell::of).toList()));
            return Stream.concat(Stream.of(title).filter(line -> !line.isEmpty()), table.render(terminal).stream())
                    .toList();
        }

        private static String row(List<String> cells) {
            return "| " + String.join(" | ", cells) + " |";
        }
    }

    /** Sentences: one is a paragraph, several are items of a list. */
    public record Notes(List<String> lines) implements Part {
        public Notes {
            lines = List.copyOf(lines);
        }

        @Override
        public List<String> markdown() {
            return lines.size() == 1
                    ? lines
                    : lines.stream().map(line -> "- " + line).toList();
        }

        @Override
        public List<String> text(Terminal terminal) {
            return lines;
        }
    }

    public Report {
        parts = List.copyOf(parts);
    }

    /** The JSON of a report that has no figures yet. */
    public static ObjectNode members(String benchmark, Machine machine) {
        return MAPPER.createObjectNode()
                .put("benchmark", benchmark)
                .put("at", machine.at().toString());
    }

    /** A record or a collection of records as JSON, with the names of its components. */
    public static JsonNode tree(Object figures) {
        return MAPPER.valueToTree(figures);
    }

    /** The lines of a section in a Markdown file. */
    public List<String> markdown() {
        List<String> lines = new ArrayList<>(List.of("Run at " + heading + "."));
        for (Part part : parts) {
            lines.add("");
            lines.addAll(part.markdown());
        }
        return lines;
    }

    /** The lines for a terminal. */
    public List<String> text(Terminal terminal) {
        List<String> lines = new ArrayList<>(List.of(heading));
        for (Part part : parts) {
            lines.add("");
            lines.addAll(part.text(terminal));
        }
        return lines;
    }
}
