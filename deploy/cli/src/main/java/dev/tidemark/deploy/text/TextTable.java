package dev.tidemark.deploy.text;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Function;
import java.util.regex.Pattern;

import com.fasterxml.jackson.databind.JsonNode;

/**
 * Aligned columns under a header. Columns whose cells are all numbers, amounts or empty are aligned to the right. On a
 * terminal the table has lines around it and is kept within its width by shortening the widest cells.
 */
public final class TextTable {
    private static final Pattern NUMERIC =
            Pattern.compile("([-+]?[\\d,]+(\\.\\d+)?( (µs|ms|s|min|h|d|B|kB|MB|GB|TB)|\\+|%|×)?)?|unknown|never|-");
    private static final int NARROWEST = 6;

    private final List<String> header;
    private final List<List<Cell>> rows = new ArrayList<>();

    /**
     * One cell.
     *
     * @param text on one line; control characters of it are not shown
     * @param tint its emphasis
     */
    public record Cell(String text, Tint tint) {
        public Cell {
            text = Terminal.printable(text);
        }

        public static Cell of(String text) {
            return new Cell(text, Tint.PLAIN);
        }

        /** A number that is to be 0. */
        static Cell alarm(long count) {
            return new Cell(Amounts.count(count), count > 0 ? Tint.RED : Tint.PLAIN);
        }

        static Cell alarm(JsonNode answer, String member) {
            return alarm(answer.path(member).asLong());
        }
    }

    /**
     * A column.
     *
     * @param cell what it shows of an element
     */
    record Column<T>(String header, Function<T, Cell> cell) {
        static <T> Column<T> of(String header, Function<T, String> text) {
            return new Column<>(header, text.andThen(Cell::of));
        }
    }

    /** A table with a row for each element. */
    static <T> TextTable of(Iterable<T> elements, List<Column<T>> columns) {
        TextTable table = new TextTable(columns.stream().map(Column::header).toList());
        elements.forEach(element -> table.add(
                columns.stream().map(column -> column.cell().apply(element)).toList()));
        return table;
    }

    public TextTable(List<String> header) {
        this.header = header.stream().map(Terminal::printable).toList();
    }

    /** Adds a row, which must have as many cells as the header. */
    public TextTable add(List<Cell> row) {
        if (row.size() != header.size()) {
            throw new IllegalArgumentException("Expected " + header.size() + " cells, but got " + row);
        }
        rows.add(List.copyOf(row));
        return this;
    }

    /** The lines of the table, for that terminal. */
    public List<String> render(Terminal terminal) {
        int[] widths = widths(terminal);
        return terminal.interactive() ? boxed(terminal, widths) : plain(terminal, widths);
    }

    private List<String> plain(Terminal terminal, int[] widths) {
        List<String> lines = new ArrayList<>();
        lines.add(join(terminal, headerCells(Tint.PLAIN), widths, "  ").stripTrailing());
        lines.add(rule(widths, "-", "  "));
        rows.forEach(row -> lines.add(join(terminal, row, widths, "  ").stripTrailing()));
        return lines;
    }

    private List<String> boxed(Terminal terminal, int[] widths) {
        List<String> lines = new ArrayList<>();
        lines.add(terminal.tinted("┌─" + rule(widths, "─", "─┬─") + "─┐", Tint.DIM));
        lines.add(fenced(terminal, headerCells(Tint.BOLD), widths));
        lines.add(terminal.tinted("├─" + rule(widths, "─", "─┼─") + "─┤", Tint.DIM));
        rows.forEach(row -> lines.add(fenced(terminal, row, widths)));
        lines.add(terminal.tinted("└─" + rule(widths, "─", "─┴─") + "─┘", Tint.DIM));
        return lines;
    }

    private String fenced(Terminal terminal, List<Cell> row, int[] widths) {
        String fence = terminal.tinted("│", Tint.DIM);
        return fence + " " + join(terminal, row, widths, " " + fence + " ") + " " + fence;
    }

    private String join(Terminal terminal, List<Cell> row, int[] widths, String between) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            Cell cell = row.get(i);
            String text = shorten(cell.text(), widths[i]);
            String space = " ".repeat(widths[i] - length(text));
            String tinted = terminal.tinted(text, cell.tint());
            line.append(i == 0 ? "" : between).append(isNumeric(i) ? space + tinted : tinted + space);
        }
        return line.toString();
    }

    private static String rule(int[] widths, String stroke, String between) {
        List<String> parts = new ArrayList<>();
        for (int width : widths) {
            parts.add(stroke.repeat(width));
        }
        return String.join(between, parts);
    }

    private List<Cell> headerCells(Tint tint) {
        return header.stream().map(name -> new Cell(name, tint)).toList();
    }

    private boolean isNumeric(int column) {
        return rows.stream()
                .allMatch(row -> NUMERIC.matcher(row.get(column).text()).matches());
    }

    private int[] widths(Terminal terminal) {
        int[] widths = new int[header.size()];
        for (int i = 0; i < widths.length; i++) {
            widths[i] = length(header.get(i));
            for (List<Cell> row : rows) {
                widths[i] = Math.max(widths[i], length(row.get(i).text()));
            }
        }
        if (terminal.interactive()) {
            fit(widths, terminal.columns() - 3 * widths.length - 1);
        }
        return widths;
    }

    private static void fit(int[] widths, int room) {
        while (Arrays.stream(widths).sum() > room) {
            int widest = 0;
            for (int i = 1; i < widths.length; i++) {
                widest = widths[i] > widths[widest] ? i : widest;
            }
            if (widths[widest] <= NARROWEST) {
                return;
            }
            widths[widest]--;
        }
    }

    private static String shorten(String text, int width) {
        if (length(text) <= width) {
            return text;
        }
        return text.substring(0, text.offsetByCodePoints(0, width - 1)) + "…";
    }

    private static int length(String text) {
        return text.codePointCount(0, text.length());
    }
}
