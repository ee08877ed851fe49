package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;

import dev.tidemark.deploy.client.LagReport;
import dev.tidemark.deploy.client.LagReport.IndexLag;

/** The lag summary as a table, one line an index. */
public final class LagTable {
    private static final double FRESH_SECONDS = 1;

    private LagTable() {}

    public static List<String> render(List<IndexLag> indexes, Terminal terminal) {
        boolean anyQuarantined = indexes.stream().anyMatch(index -> index.quarantined() > 0);
        List<String> header = new ArrayList<>(List.of(
                "index",
                "table",
                "state",
                "freshness",
                "behind",
                "oldest",
                "in/s",
                "out/s",
                "eta",
                "visible p50",
                "visible p99",
                "entries"));
        if (anyQuarantined) {
            header.add("quarantined");
        }
        TextTable table = new TextTable(header);
        for (IndexLag index : indexes) {
            List<TextTable.Cell> cells = cells(index);
            if (anyQuarantined) {
                Tint tint = index.quarantined() > 0 ? Tint.RED : Tint.PLAIN;
                cells.add(new TextTable.Cell(Amounts.count(index.quarantined()), tint));
            }
            table.add(cells);
        }
        return table.render(terminal);
    }

    private static List<TextTable.Cell> cells(IndexLag index) {
        LagReport.Visibility visibility = index.visibility();
        boolean fresh = index.freshnessSeconds().orElse(Double.MAX_VALUE) < FRESH_SECONDS;
        String behind = index.recordsBehind().isPresent()
                ? Amounts.count(index.recordsBehind().getAsLong())
                : Amounts.UNKNOWN;
        List<TextTable.Cell> cells = new ArrayList<>();
        cells.add(new TextTable.Cell(index.index(), Tint.CYAN));
        cells.add(TextTable.Cell.of(index.table()));
        cells.add(new TextTable.Cell(index.state(), Tint.ofState(index.state())));
        cells.add(new TextTable.Cell(Amounts.seconds(index.freshnessSeconds()), fresh ? Tint.GREEN : Tint.YELLOW));
        cells.add(TextTable.Cell.of(behind));
        cells.add(TextTable.Cell.of(Amounts.seconds(index.oldestUnappliedSeconds())));
        cells.add(TextTable.Cell.of(rate(index.pace().arrival())));
        cells.add(TextTable.Cell.of(rate(index.pace().applied())));
        cells.add(TextTable.Cell.of(eta(index)));
        cells.add(TextTable.Cell.of(visibility.count() == 0 ? "-" : Amounts.seconds(visibility.p50())));
        cells.add(TextTable.Cell.of(visibility.count() == 0 ? "-" : Amounts.seconds(visibility.p99())));
        cells.add(TextTable.Cell.of(Amounts.count(index.entries())));
        return cells;
    }

    private static String rate(OptionalDouble perSecond) {
        return perSecond.isPresent() ? Amounts.count(Math.round(perSecond.getAsDouble())) : "-";
    }

    private static String eta(IndexLag index) {
        if (index.pace().etaSeconds().isPresent()) {
            return Amounts.seconds(index.pace().etaSeconds());
        }
        return switch (index.state()) {
            case "catching_up", "restoring", "paused" -> index.pace().gainsNothing() ? "never" : Amounts.UNKNOWN;
            default -> "-";
        };
    }
}
