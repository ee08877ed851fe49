package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

import org.yaml.snakeyaml.error.Mark;

/** What is wrong with a file so far: collected, so that a user sees everything at once. */
final class Problems {
    private static final int MAX_SHOWN = 50;

    /** Most that are kept, of which the first ones in the file are shown. */
    private static final int MAX_KEPT = 2_000;

    private final String file;
    private final List<Problem> found = new ArrayList<>();
    private int count;

    /** A problem; its line is 0 where it has no place. */
    private record Problem(int line, int column, String text) {
        String place() {
            return line == 0 ? "" : ":" + line + ":" + column;
        }
    }

    Problems(String file) {
        this.file = file;
    }

    void add(Mark at, String text) {
        add(at.getLine() + 1, at.getColumn() + 1, text);
    }

    /** A problem without a place. */
    void add(String text) {
        add(0, 0, text);
    }

    /** Lines and columns count from 1. */
    void add(int line, int column, String text) {
        count++;
        if (found.size() < MAX_KEPT) {
            found.add(new Problem(line, column, text));
        }
    }

    void throwIfAny() throws CatalogException {
        if (found.isEmpty()) {
            return;
        }
        List<String> lines = new ArrayList<>();
        found.stream()
                .sorted(Comparator.comparingInt(Problem::line).thenComparingInt(Problem::column))
                .limit(MAX_SHOWN)
                .forEach(problem -> lines.add(file + problem.place() + ": " + problem.text()));
        if (count > MAX_SHOWN) {
            lines.add(file + ": and " + (count - MAX_SHOWN) + " more problems");
        }
        throw new CatalogException(lines);
    }
}
