package dev.tidemark.deploy.text;

import java.util.List;

import dev.tidemark.deploy.client.IndexLife;

/** The indexes and where each is in its life. */
public final class IndexTable {
    private IndexTable() {}

    public static List<String> render(List<IndexLife> indexes, Terminal terminal) {
        TextTable table =
                new TextTable(List.of("index", "table", "gen", "state", "entries", "progress", "since", "cause"));
        for (IndexLife index : indexes) {
            table.add(List.of(
                    TextTable.Cell.of(index.index()),
                    TextTable.Cell.of(index.table()),
                    TextTable.Cell.of(Long.toString(index.generation())),
                    new TextTable.Cell(index.state(), index.isReady() ? Tint.GREEN : Tint.YELLOW),
                    TextTable.Cell.of(Amounts.count(index.entries())),
                    TextTable.Cell.of(progress(index)),
                    TextTable.Cell.of(index.since()),
                    TextTable.Cell.of(index.cause())));
        }
        return table.render(terminal);
    }

    /** Rows done of all, speed and time to go; empty for an index that is not being built. */
    public static String progress(IndexLife index) {
        IndexLife.Progress progress = index.progress();
        if (progress.rowsTotal() == 0 || index.isReady()) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append(Amounts.count(progress.rowsDone())).append(" of ").append(Amounts.count(progress.rowsTotal()));
        progress.rowsPerSecond()
                .ifPresent(rate -> text.append(", ")
                        .append(Amounts.count(Math.round(rate)))
                        .append("/s"));
        progress.etaSeconds()
                .ifPresent(eta -> text.append(", ").append(Amounts.seconds(eta)).append(" to go"));
        return text.toString();
    }
}
