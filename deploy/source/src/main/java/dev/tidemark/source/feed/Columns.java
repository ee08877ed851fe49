package dev.tidemark.source.feed;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

import org.jspecify.annotations.Nullable;

/**
 * The columns of the tables of a source.
 *
 * @param columns by {@code schema.table.column}
 * @param files number of the file of each table, which changes when all its rows are written again
 */
public record Columns(SortedMap<String, Column> columns, Map<String, Long> files) {
    /**
     * A column.
     *
     * @param table it is in
     * @param type as SQL spells it
     * @param filled whether rows from before the column may have a value in it
     * @param place among the columns of the table, where the stream has values by their place; otherwise 0
     */
    public record Column(String table, String type, boolean filled, int place) {
        /** A column that the stream has by its name. */
        public Column(String table, String type, boolean filled) {
            this(table, type, filled, 0);
        }
    }

    public Columns {
        columns = new TreeMap<>(columns);
        files = Map.copyOf(files);
    }

    /** A digest of what rows look like. */
    public String digest() {
        StringBuilder text = new StringBuilder();
        columns.forEach((name, column) -> text.append(name)
                .append(' ')
                .append(column.type())
                .append(column.place() == 0 ? "" : " " + column.place())
                .append('\n'));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java to have SHA-256", e);
        }
    }

    /** Whether rows from before look the same now: at most, columns were added that are null in them. */
    boolean leavesRowsAsIn(Columns former) {
        return former.columns.entrySet().stream().allMatch(one -> isSame(one.getValue(), columns.get(one.getKey())))
                && columns.entrySet().stream()
                        .filter(one -> !former.columns.containsKey(one.getKey()))
                        .allMatch(one -> !one.getValue().filled()
                                && hasSameFile(one.getValue().table(), former));
    }

    private static boolean isSame(Column former, @Nullable Column now) {
        return now != null && former.type().equals(now.type());
    }

    private boolean hasSameFile(String table, Columns former) {
        return files.getOrDefault(table, 0L).equals(former.files.getOrDefault(table, 0L));
    }
}
