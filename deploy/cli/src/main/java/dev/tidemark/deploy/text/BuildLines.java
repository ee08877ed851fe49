package dev.tidemark.deploy.text;

import java.util.List;

import dev.tidemark.deploy.client.IndexLifecycle;

/** How far the building of indexes is: one line an index, with a bar. */
public final class BuildLines {
    private static final int WIDTH = 24;

    private BuildLines() {}

    public static List<String> render(List<IndexLifecycle> indexes, Terminal terminal) {
        return indexes.stream().map(index -> line(index, terminal)).toList();
    }

    private static String line(IndexLifecycle index, Terminal terminal) {
        String progress = IndexTable.progress(index);
        return String.format("%-20s ", index.qualifiedName())
                + bar(index) + " "
                + terminal.tinted(index.state(), IndexTable.tint(index))
                + (progress.isEmpty() ? "" : "  " + progress);
    }

    private static String bar(IndexLifecycle index) {
        IndexLifecycle.Progress progress = index.progress();
        double part = progress.rowsTotal() == 0
                ? (index.isReady() ? 1 : 0)
                : Math.min(1, (double) progress.rowsDone() / progress.rowsTotal());
        int full = index.isReady() ? WIDTH : (int) (part * WIDTH);
        return "█".repeat(full) + "░".repeat(WIDTH - full);
    }
}
