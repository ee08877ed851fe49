package dev.tidemark.deploy.text;

import java.util.List;
import java.util.Set;

import dev.tidemark.deploy.client.IndexLifecycle;

/** The indexes and where each is in its life. */
public final class IndexTable {
    private static final String BUILDING = "building";

    /** States in which rows are yet to come. */
    private static final Set<String> COPYING = Set.of(BUILDING, "paused", "rebuilding");

    private IndexTable() {}

    public static List<String> render(List<IndexLifecycle> indexes, Terminal terminal) {
        TextTable table = new TextTable(List.of(
                "index",
                "table",
                "gen",
                "state",
                "entries",
                "refused",
                "equal",
                "progress",
                "since",
                "before",
                "cause"));
        for (IndexLifecycle index : indexes) {
            table.add(List.of(
                    TextTable.Cell.of(index.index()),
                    TextTable.Cell.of(index.table()),
                    TextTable.Cell.of(Long.toString(index.generation())),
                    new TextTable.Cell(index.state(), tint(index)),
                    TextTable.Cell.of(Amounts.count(index.entries())),
                    new TextTable.Cell(Amounts.count(index.refused()), index.refused() > 0 ? Tint.RED : Tint.PLAIN),
                    equal(index),
                    TextTable.Cell.of(progress(index)),
                    TextTable.Cell.of(toTheSecond(index.since())),
                    TextTable.Cell.of(previous(index)),
                    TextTable.Cell.of(index.cause())));
        }
        return table.render(terminal);
    }

    /** A time without what is below a second. */
    static String toTheSecond(String time) {
        return time.replaceFirst("\\.\\d+Z", "Z");
    }

    /** How a state is shown. */
    static Tint tint(IndexLifecycle index) {
        return index.isReady() ? Tint.GREEN : index.state().equals("degraded") ? Tint.RED : Tint.YELLOW;
    }

    /** The generation before and until when it is kept; empty where there is none. */
    public static String previous(IndexLifecycle index) {
        return index.previous()
                .map(previous -> "gen " + previous.generation()
                        + (previous.rollbackUntil().isEmpty()
                                ? (previous.serves() ? " answers" : "")
                                : " until " + toTheSecond(previous.rollbackUntil())))
                .orElse("");
    }

    /** Whether it equals its table; a dash while that is not known. */
    private static TextTable.Cell equal(IndexLifecycle index) {
        return index.equal()
                .map(equal -> equal ? new TextTable.Cell("yes", Tint.GREEN) : new TextTable.Cell("no", Tint.RED))
                .orElse(TextTable.Cell.of("-"));
    }

    /** Rows done of all, speed and time to go; empty for an index that is not being built. */
    public static String progress(IndexLifecycle index) {
        IndexLifecycle.Progress progress = index.progress();
        if (progress.rowsTotal() == 0 || !COPYING.contains(index.state())) {
            return "";
        }
        StringBuilder text = new StringBuilder();
        text.append(Amounts.count(progress.rowsDone())).append(" of ").append(Amounts.count(progress.rowsTotal()));
        if (!index.state().equals(BUILDING)) {
            return text.toString();
        }
        progress.rowsPerSecond()
                .ifPresent(rate -> text.append(", ")
                        .append(Amounts.count(Math.round(rate)))
                        .append("/s"));
        progress.etaSeconds()
                .ifPresent(eta -> text.append(", ").append(Amounts.seconds(eta)).append(" to go"));
        return text.toString();
    }
}
