package dev.tidemark.deploy.text;

import java.util.List;
import java.util.Set;

import dev.tidemark.api.IndexLifecycle;
import dev.tidemark.deploy.text.TextTable.Cell;
import dev.tidemark.deploy.text.TextTable.Column;

/** The indexes and where each is in its life. */
public final class IndexTable {
    private static final String BUILDING = "building";
    private static final int BAR_WIDTH = 24;

    /** States in which rows are yet to come. */
    private static final Set<String> COPYING = Set.of(BUILDING, "paused", "rebuilding");

    private static final List<Column<IndexLifecycle>> COLUMNS = List.of(
            Column.of("index", IndexLifecycle::index),
            Column.of("table", IndexLifecycle::table),
            Column.of("gen", index -> Long.toString(index.life().generation())),
            new Column<>("state", index -> new Cell(index.state(), tint(index))),
            Column.of("entries", index -> Amounts.count(index.entries())),
            new Column<>("refused", index -> Cell.alarm(index.refused())),
            new Column<>("equal", IndexTable::equal),
            Column.of("progress", IndexTable::progress),
            Column.of("since", index -> toTheSecond(index.life().since())),
            Column.of("before", IndexTable::previous),
            Column.of("cause", index -> index.life().cause()));

    private IndexTable() {}

    public static List<String> render(List<IndexLifecycle> indexes, Terminal terminal) {
        return TextTable.of(indexes, COLUMNS).render(terminal);
    }

    /** How far the building of an index is, in a line with a bar. */
    public static String bar(IndexLifecycle index, Terminal terminal) {
        IndexLifecycle.Progress rows = index.progress();
        double part = rows.rowsTotal() == 0 ? 0 : Math.min(1, (double) rows.rowsDone() / rows.rowsTotal());
        int full = index.isReady() ? BAR_WIDTH : (int) (part * BAR_WIDTH);
        String progress = progress(index);
        return String.format("%-20s ", index.qualifiedName())
                + "█".repeat(full)
                + "░".repeat(BAR_WIDTH - full)
                + " "
                + terminal.tinted(index.state(), tint(index))
                + (progress.isEmpty() ? "" : "  " + progress);
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
    static String previous(IndexLifecycle index) {
        IndexLifecycle.Previous previous = index.previous();
        if (previous == null) {
            return "";
        }
        String until = previous.rollbackUntil();
        String shown = until.isEmpty() ? (previous.serves() ? " answers" : "") : " until " + toTheSecond(until);
        return "gen " + previous.generation() + shown;
    }

    /** Whether it equals its table; a dash while that is not known. */
    private static Cell equal(IndexLifecycle index) {
        if (index.digest() == null || index.digest().equal() == null) {
            return Cell.of("-");
        }
        return index.digest().equal() ? new Cell("yes", Tint.GREEN) : new Cell("no", Tint.RED);
    }

    /** Rows done of all, speed and time to go; empty for an index that is not being built. */
    public static String progress(IndexLifecycle index) {
        IndexLifecycle.Progress progress = index.progress();
        if (progress.rowsTotal() == 0 || !COPYING.contains(index.state())) {
            return "";
        }
        String done = Amounts.count(progress.rowsDone()) + " of " + Amounts.count(progress.rowsTotal());
        if (!index.state().equals(BUILDING)) {
            return done;
        }
        Double rate = progress.rowsPerSecond();
        Double eta = progress.etaSeconds();
        return done
                + (rate == null ? "" : ", " + Amounts.count(Math.round(rate)) + "/s")
                + (eta == null ? "" : ", " + Amounts.seconds(eta) + " to go");
    }
}
