package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.List;

import org.jspecify.annotations.Nullable;

import dev.tidemark.api.LagReport;
import dev.tidemark.api.LagReport.IndexLag;
import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** The lag summary as a table, one line an index. */
public final class LagTable {
    private static final double FRESH_SECONDS = 1;

    private LagTable() {}

    public static List<String> render(LagReport lag, Terminal terminal) {
        List<Column<IndexLag>> columns = new ArrayList<>(List.of(
                new Column<>("index", index -> new Cell(index.index(), Tint.CYAN)),
                Column.of("table", IndexLag::table),
                new Column<>("state", index -> new Cell(index.state(), Tint.ofState(index.state()))),
                new Column<>("freshness", index -> freshness(index.freshnessSeconds())),
                Column.of("behind", index -> count(index.recordsBehind(), Amounts.UNKNOWN)),
                Column.of("oldest", index -> Amounts.atMost(index.oldestUnappliedSeconds())),
                Column.of("in/s", index -> count(lag.tableOf(index).arrivalPerSecond(), "-")),
                Column.of("out/s", index -> count(lag.tableOf(index).appliedPerSecond(), "-")),
                Column.of("eta", LagTable::eta),
                Column.of(
                        "visible p50",
                        index -> visible(index, index.visibility().p50Seconds())),
                Column.of(
                        "visible p99",
                        index -> visible(index, index.visibility().p99Seconds())),
                Column.of("entries", index -> Amounts.count(index.entries()))));
        if (lag.indexes().stream().anyMatch(index -> index.quarantined() > 0)) {
            columns.add(new Column<>("quarantined", index -> Cell.alarm(index.quarantined())));
        }
        return TextTable.of(lag.indexes(), columns).render(terminal);
    }

    private static Cell freshness(@Nullable Double seconds) {
        boolean fresh = seconds != null && seconds < FRESH_SECONDS;
        return new Cell(Amounts.atMost(seconds), fresh ? Tint.GREEN : Tint.YELLOW);
    }

    private static String count(@Nullable Number number, String unknown) {
        return number == null ? unknown : Amounts.count(Math.round(number.doubleValue()));
    }

    private static String visible(IndexLag index, @Nullable Double seconds) {
        return index.visibility().count() == 0 ? "-" : Amounts.seconds(seconds);
    }

    private static String eta(IndexLag index) {
        if (index.etaSeconds() != null) {
            return Amounts.seconds(index.etaSeconds());
        }
        return switch (index.state()) {
            case "catching_up", "restoring", "paused" -> index.gainsNothing() ? "never" : Amounts.UNKNOWN;
            default -> "-";
        };
    }
}
