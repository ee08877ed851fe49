package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** Advice for people: what each index is like as a table, and below it what to do. */
public final class AdviceLines {
    private static final List<Column<JsonNode>> COLUMNS = List.of(
            new Column<>("index", index -> new Cell(index.path("index").asText(), Tint.CYAN)),
            Column.of("entries", index -> Amounts.count(index, "entries")),
            Column.of("bytes", index -> Amounts.bytes(index.path("bytes").asLong())),
            Column.of("values", AdviceLines::values),
            Column.of("heaviest", index -> heaviest(index.path("heaviest").path(0))),
            Column.of("updates", index -> Amounts.count(index, "updates")),
            Column.of("moved", index -> Amounts.count(index, "moved")),
            Column.of("queries", index -> Amounts.count(index, "queries")),
            Column.of("fetched", index -> Amounts.count(index, "fetches")));

    private AdviceLines() {}

    /**
     * The lines of a report.
     *
     * @param report as the index worker gives it
     */
    public static List<String> render(JsonNode report, Terminal terminal) {
        List<String> lines =
                new ArrayList<>(TextTable.of(report.path("indexes"), COLUMNS).render(terminal));
        lines.add("");
        if (report.path("advice").isEmpty()) {
            lines.add("nothing to advise");
        }
        for (JsonNode advice : report.path("advice")) {
            lines.add(terminal.tinted(advice.path("index").asText(), Tint.CYAN) + "  "
                    + terminal.tinted(advice.path("kind").asText(), Tint.YELLOW));
            lines.add("  " + advice.path("text").asText());
            String saving = saving(advice.path("saving"));
            if (!saving.isEmpty()) {
                lines.add("  saves about " + saving);
            }
        }
        report.path("notes").forEach(note -> lines.add("note: " + note.asText()));
        return lines;
    }

    private static String values(JsonNode index) {
        return Amounts.count(index, "distinctValues")
                + (index.path("allValuesSeen").asBoolean() ? "" : "+");
    }

    private static String heaviest(JsonNode weight) {
        return weight.isMissingNode()
                ? "-"
                : AnswerTable.text(weight.path("value"))
                        + String.format(
                                Locale.ROOT, " %.1f%%", weight.path("share").asDouble() * 100);
    }

    private static String saving(JsonNode saving) {
        List<String> parts = new ArrayList<>();
        if (saving.path("entries").asLong() > 0) {
            parts.add(Amounts.count(saving.path("entries").asLong(), "entry", "entries"));
        }
        if (saving.path("bytes").asLong() > 0) {
            parts.add(Amounts.bytes(saving.path("bytes").asLong()) + " before compression");
        }
        double micros = saving.path("applySecondsPerChange").asDouble() * 1e6;
        if (micros > 0) {
            parts.add(String.format(Locale.ROOT, "%.1f µs of applying a change", micros));
        }
        if (saving.path("rowFetches").asLong() > 0) {
            parts.add(
                    Amounts.count(saving.path("rowFetches").asLong(), "request", "requests") + " to the writer so far");
        }
        return String.join(", ", parts);
    }
}
