package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;

import com.fasterxml.jackson.databind.JsonNode;

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
        TextTable table = new TextTable(List.of(name, "status", "since", "why"));
        for (JsonNode row : rows) {
            String status = row.path("status").asText();
            String since = row.path("visibleSince").asText(row.path("since").asText(""));
            table.add(List.of(
                    new TextTable.Cell(row.path(name).asText(), Tint.CYAN),
                    new TextTable.Cell(status, tint(status)),
                    TextTable.Cell.of(since),
                    TextTable.Cell.of(why(row))));
        }
        return table.render(terminal);
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

    private static Tint tint(String status) {
        return switch (status) {
            case "visible" -> Tint.GREEN;
            case "quarantined" -> Tint.RED;
            default -> Tint.YELLOW;
        };
    }
}
