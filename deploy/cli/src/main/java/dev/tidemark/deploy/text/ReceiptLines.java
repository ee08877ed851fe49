package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** Renders the receipt of a write as text. */
public final class ReceiptLines {
    private ReceiptLines() {}

    /**
     * The lines of a receipt.
     *
     * @param receipt as the index worker gives it
     */
    public static List<String> render(JsonNode receipt, Terminal terminal) {
        List<String> lines = new ArrayList<>();
        boolean ofMany = receipt.has("partitions");
        lines.add(ofMany ? many(receipt) : one(receipt));
        if (ofMany) {
            lines.addAll(table("partition", receipt.path("partitions"), terminal));
        }
        lines.addAll(table("index", receipt.path("indexes"), terminal));
        return lines;
    }

    private static String one(JsonNode receipt) {
        String operation = receipt.path("operation").asText().equals("delete") ? "delete" : "write";
        String committed = receipt.path("committedAt").isTextual()
                ? ", committed " + receipt.path("committedAt").asText()
                : "";
        return operation + " of row " + AnswerTable.text(receipt.path("primaryKey")) + " of table "
                + receipt.path("table").asText() + ", version "
                + receipt.path("version").asText() + committed;
    }

    private static String many(JsonNode receipt) {
        return "bulk load of table " + receipt.path("table").asText() + ", "
                + Amounts.count(receipt.path("partitions").size(), "partition", "partitions");
    }

    private static List<String> table(String name, JsonNode rows, Terminal terminal) {
        List<Column<JsonNode>> columns = List.of(
                new Column<>(name, row -> new Cell(row.path(name).asText(), Tint.CYAN)),
                new Column<>("status", row -> status(row.path("status").asText())),
                Column.of(
                        "since",
                        row -> row.path("visibleSince").asText(row.path("since").asText(""))),
                Column.of("why", ReceiptLines::why));
        return TextTable.of(rows, columns).render(terminal);
    }

    private static String why(JsonNode row) {
        List<String> parts = new ArrayList<>();
        if (row.has("reason")) {
            parts.add(row.path("reason").asText());
        }
        if (row.path("changesBefore").isNumber()) {
            long before = row.path("changesBefore").asLong();
            parts.add("at most " + Amounts.count(before, "change", "changes") + " before it");
        }
        if (row.path("etaSeconds").isNumber()) {
            parts.add("caught up in about "
                    + Amounts.seconds(row.path("etaSeconds").asDouble()));
        }
        if (row.path("quarantined").asLong() > 0) {
            parts.add(Amounts.count(row.path("quarantined").asLong(), "record", "records")
                    + " of the partition in quarantine");
        }
        return String.join("; ", parts);
    }

    private static Cell status(String status) {
        return switch (status) {
            case "visible" -> new Cell(status, Tint.GREEN);
            case "quarantined" -> new Cell(status, Tint.RED);
            default -> new Cell(status, Tint.YELLOW);
        };
    }
}
