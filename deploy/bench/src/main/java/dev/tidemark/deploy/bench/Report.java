package dev.tidemark.deploy.bench;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;

import dev.tidemark.deploy.text.Terminal;
import dev.tidemark.deploy.text.TextTable;

/** The result of a benchmark, put together part by part. Owned by the thread of the benchmark. */
public final class Report {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();

    private final String heading;
    private final List<Part> parts = new ArrayList<>();
    private final ObjectNode json = MAPPER.createObjectNode();

    /**
     * A part of the text: figures in columns or, without a header, sentences.
     *
     * @param title a line above the table; empty for none
     * @param rows each with as many cells as the header; of sentences, each with one
     */
    private record Part(String title, List<String> header, List<List<String>> rows) {
        private List<String> markdown() {
            if (header.isEmpty()) {
                String item = rows.size() == 1 ? "" : "- ";
                return rows.stream().map(cells -> item + cells.get(0)).toList();
            }
            List<String> lines = new ArrayList<>(title.isEmpty() ? List.of() : List.of(title, ""));
            lines.add(row(header));
            lines.add(row(header.stream().map(name -> "---").toList()));
            rows.forEach(cells -> lines.add(row(cells)));
            return lines;
        }

        private List<String> text(Terminal terminal) {
            if (header.isEmpty()) {
                return rows.stream().map(cells -> cells.get(0)).toList();
            }
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

    /**
     * A report without figures.
     *
     * @param heading where and how it ran, one sentence without its stop
     */
    Report(String benchmark, Machine machine, String heading) {
        this.heading = heading;
        json.put("benchmark", benchmark).put("at", machine.at().toString());
    }

    /** Adds a table. */
    void table(List<String> header, List<List<String>> rows) {
        table("", header, rows);
    }

    /** Adds a table with a line above it. */
    void table(String title, List<String> header, List<List<String>> rows) {
        parts.add(new Part(title, header, rows));
    }

    /** Adds a paragraph. */
    void sentence(String text) {
        items(List.of(text));
    }

    /** Adds sentences, which are the items of a list where there are several. */
    void items(List<String> lines) {
        parts.add(new Part("", List.of(), lines.stream().map(List::of).toList()));
    }

    /** The figures for programs. */
    public ObjectNode json() {
        return json;
    }

    /** A record or a collection of records as JSON, with the names of its components. */
    static JsonNode tree(Object figures) {
        return MAPPER.valueToTree(figures);
    }

    /** The lines of a section in a Markdown file. */
    public List<String> markdown() {
        return lines("Run at " + heading + ".", Part::markdown);
    }

    /** The lines for a terminal. */
    public List<String> text(Terminal terminal) {
        return lines(heading, part -> part.text(terminal));
    }

    private List<String> lines(String first, Function<Part, List<String>> text) {
        List<String> lines = new ArrayList<>(List.of(first));
        for (Part part : parts) {
            lines.add("");
            lines.addAll(text.apply(part));
        }
        return lines;
    }

    /** Puts the section of a benchmark into a Markdown file; at its end when it has no such section yet. */
    public static void write(String benchmark, List<String> lines, Path file) throws IOException {
        String before = Files.exists(file) ? Files.readString(file, StandardCharsets.UTF_8) : "";
        Files.writeString(file, replaced(benchmark, before, lines), StandardCharsets.UTF_8);
    }

    /** The text with the lines in place of what stands between the two marks of the benchmark. */
    static String replaced(String benchmark, String before, List<String> lines) {
        String first = "<!-- " + benchmark + ": written by tidemark bench " + benchmark + " --report -->";
        String last = "<!-- end of " + benchmark + " -->";
        String text = first + "\n" + String.join("\n", lines) + "\n" + last;
        int begin = before.indexOf(first);
        int end = before.indexOf(last);
        if (begin < 0 || end < begin) {
            return before.isEmpty() ? text + "\n" : before.stripTrailing() + "\n\n" + text + "\n";
        }
        return before.substring(0, begin) + text + before.substring(end + last.length());
    }
}
