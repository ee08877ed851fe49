package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** Why a row is, or is not, in an index, for people. */
public final class ExplanationLines {
    private ExplanationLines() {}

    /**
     * The lines of an explanation.
     *
     * @param answer as the index worker gives it
     */
    public static List<String> render(JsonNode answer, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        String outcome = answer.path("outcome").asText();
        lines.add(terminal.tinted(answer.path("index").asText(), Tint.CYAN) + ", row "
                + AnswerTable.text(answer.path("primaryKey")) + " of table "
                + answer.path("table").asText() + ", shard "
                + answer.path("shard").asText() + ": "
                + terminal.tinted(outcome, tint(outcome)));
        lines.add(answer.path("reason").asText());
        if (!answer.path("entries").isEmpty()) {
            lines.addAll(entries(answer.path("entries"), terminal));
        }
        if (answer.path("version").isTextual()) {
            lines.add("version " + answer.path("version").asText() + " here, committed " + time(answer, "committedAt")
                    + ", visible since " + time(answer, "visibleSince"));
        }
        lines.add(writer(answer.path("factTable")));
        return lines;
    }

    private static List<String> entries(JsonNode entries, Terminal terminal) {
        Set<String> fields = new LinkedHashSet<>();
        entries.forEach(entry -> entry.path("key").fieldNames().forEachRemaining(fields::add));
        List<Column<JsonNode>> columns = new ArrayList<>();
        fields.forEach(field -> columns.add(new Column<>(
                field, entry -> new Cell(AnswerTable.text(entry.path("key").path(field)), Tint.CYAN))));
        return TextTable.of(entries, columns).render(terminal);
    }

    private static String writer(JsonNode facts) {
        if (!facts.path("reachable").asBoolean()) {
            return "the fact table was not asked: " + facts.path("detail").asText();
        }
        return facts.path("version").isTextual()
                ? "version " + facts.path("version").asText() + " in the fact table"
                : "no such row in the fact table";
    }

    private static String time(JsonNode answer, String name) {
        return answer.path(name).isTextual() ? answer.path(name).asText() : "at a time that was not noted";
    }

    private static Tint tint(String outcome) {
        return switch (outcome) {
            case "in_index" -> Tint.GREEN;
            case "quarantined", "inconsistent" -> Tint.RED;
            default -> Tint.YELLOW;
        };
    }
}
