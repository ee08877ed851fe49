package dev.tidemark.deploy.bench;

import java.util.ArrayList;
import java.util.List;

/** A table in Markdown. */
public final class MarkdownTable {
    private MarkdownTable() {}

    /** The lines of a table; every row has as many cells as the header. */
    public static List<String> of(List<String> header, List<List<String>> rows) {
        List<String> lines = new ArrayList<>();
        lines.add(row(header));
        lines.add(row(header.stream().map(name -> "---").toList()));
        rows.forEach(row -> lines.add(row(row)));
        return lines;
    }

    private static String row(List<String> cells) {
        return "| " + String.join(" | ", cells) + " |";
    }
}
