package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

/** What it means that the rows of tables are to come from elsewhere. */
public final class SourceLines {
    private SourceLines() {}

    /**
     * A line for each table.
     *
     * @param changes as the writer and the worker give them
     */
    public static List<String> render(JsonNode changes) {
        List<String> lines = new ArrayList<>();
        for (JsonNode change : changes) {
            String table = "Table " + change.path("table").asText();
            JsonNode to = change.path("to");
            lines.add(
                    to.isObject()
                            ? table + " follows " + name(to)
                                    + ": clients may not write it, and its freshness is unknown"
                                    + " until the source has loaded it."
                            : table + " no longer follows " + name(change.path("from"))
                                    + ": its rows stay, and clients write it.");
        }
        return lines;
    }

    private static String name(JsonNode source) {
        return "source " + source.path("name").asText() + " ("
                + source.path("table").asText() + ")";
    }
}
