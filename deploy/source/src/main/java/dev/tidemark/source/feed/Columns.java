package dev.tidemark.source.feed;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import org.jspecify.annotations.Nullable;

/**
 * The columns of the tables of a source.
 *
 * @param columns by {@code schema.table.column}
 * @param files number of the file of each table, which changes when all its rows are written again
 * @param unpublished tables of which the stream does not have all changes, or not all of a change
 */
public record Columns(SortedMap<String, Column> columns, Map<String, Long> files, Set<String> unpublished) {
    /** The digest of a table of which the stream does not have all changes. */
    static final String UNPUBLISHED = "unpublished";

    /**
     * A column.
     *
     * @param table it is in
     * @param type as SQL spells it
     * @param filled whether rows from before the column may have a value in it
     * @param place among the columns of the table, where the stream has values by their place; otherwise 0
     * @param identity what a column of the same name and type in its place does not have; empty where the stream says
     *     that a column or its table was replaced
     * @param generated whether the database computes it and leaves it out of the stream, so that rows are without it
     * @param sent whether a change of a row comes with the value before it, where that was another one, and no
     *     statement can swap the values of two rows
     */
    public record Column(
            String table, String type, boolean filled, int place, String identity, boolean generated, boolean sent) {
        /** A column that the stream has by its place. */
        public Column(String table, String type, boolean filled, int place) {
            this(table, type, filled, place, "", false, true);
        }
    }

    public Columns {
        columns = new TreeMap<>(columns);
        files = Map.copyOf(files);
        unpublished = Set.copyOf(unpublished);
    }

    /** Names of the columns without which rows are, by table. */
    public Map<String, Set<String>> generated() {
        Map<String, Set<String>> names = new TreeMap<>();
        columns.forEach((name, column) -> {
            if (column.generated()) {
                names.computeIfAbsent(column.table(), table -> new TreeSet<>())
                        .add(name.substring(column.table().length() + 1));
            }
        });
        return names;
    }

    /**
     * Columns of a table whose former values do not come with changes of rows, or do not say which row it was.
     *
     * @param among names of columns
     */
    List<String> unsent(String table, Collection<String> among) {
        return among.stream()
                .filter(name -> Optional.ofNullable(columns.get(table + "." + name))
                        .filter(column -> !column.sent())
                        .isPresent())
                .toList();
    }

    /** The same for tables with these primary keys: without the former key of a row, the stream lacks its change. */
    Columns requiring(Collection<Writer.Followed> tables) {
        Set<String> lacking = new TreeSet<>(unpublished);
        tables.stream()
                .filter(table -> !unsent(table.source(), table.primaryKey()).isEmpty())
                .forEach(table -> lacking.add(table.source()));
        return new Columns(columns, files, lacking);
    }

    /** A digest of what the rows of a table look like. */
    public String digest(String table) {
        return unpublished.contains(table) ? UNPUBLISHED : digest(table, true, true);
    }

    /**
     * The digests that earlier versions have kept: they did not know what is sent, and before that no identities
     * either. Those without identities put generated columns into rows of a snapshot, which are read again.
     */
    List<String> formerDigests(String table) {
        return List.of(digest(table, true, false), digest(table, false, false));
    }

    private String digest(String table, boolean identities, boolean sent) {
        StringBuilder text = new StringBuilder();
        of(table)
                .forEach((name, column) -> text.append(name)
                        .append(' ')
                        .append(column.type())
                        .append(column.generated() ? " generated" : "")
                        .append(column.place() == 0 ? "" : " " + column.place())
                        .append(column.identity().isEmpty() || !identities ? "" : " " + column.identity())
                        .append(column.sent() || !sent ? "" : " unsent")
                        .append('\n'));
        try {
            byte[] hash =
                    MessageDigest.getInstance("SHA-256").digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(hash, 0, 16);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("Expected every Java to have SHA-256", e);
        }
    }

    /** Whether rows of a table from before look the same now: at most, columns were added that are null in them. */
    boolean leavesRowsAsIn(Columns former, String table) {
        Map<String, Column> before = former.of(table);
        return before.entrySet().stream().allMatch(one -> isSame(one.getValue(), columns.get(one.getKey())))
                && of(table).entrySet().stream()
                        .filter(one -> !before.containsKey(one.getKey()))
                        .allMatch(one -> !one.getValue().filled() && hasSameFile(table, former));
    }

    private SortedMap<String, Column> of(String table) {
        SortedMap<String, Column> found = new TreeMap<>(columns);
        found.values().removeIf(column -> !column.table().equals(table));
        return found;
    }

    private static boolean isSame(Column former, @Nullable Column now) {
        return now != null
                && former.type().equals(now.type())
                && former.identity().equals(now.identity())
                && former.generated() == now.generated();
    }

    private boolean hasSameFile(String table, Columns former) {
        return files.getOrDefault(table, 0L).equals(former.files.getOrDefault(table, 0L));
    }
}
