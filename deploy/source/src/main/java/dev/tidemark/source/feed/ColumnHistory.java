package dev.tidemark.source.feed;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;

/** The columns of tables that this process has seen, by their digest. For any thread. */
public final class ColumnHistory {
    private final Map<Seen, Columns> seen = new ConcurrentHashMap<>();

    private record Seen(String table, String digest) {}

    /** Keeps the columns of these tables, and returns their digests by table. A table that is gone has no columns. */
    Map<String, String> add(Columns columns, Collection<String> tables) {
        Map<String, String> digests = new TreeMap<>();
        for (String table : tables) {
            String digest = columns.digest(table);
            if (!digest.equals(Columns.UNPUBLISHED)) {
                seen.put(new Seen(table, digest), columns);
                columns.formerDigests(table).forEach(former -> seen.putIfAbsent(new Seen(table, former), columns));
            }
            digests.put(table, digest);
        }
        return digests;
    }

    /** Whether rows of a table that were read under the former columns, and its changes, lead to the later ones. */
    boolean leavesRows(String table, String former, String later) {
        if (later.equals(Columns.UNPUBLISHED)) {
            return false;
        }
        if (former.equals(later)) {
            return true;
        }
        Optional<Columns> before = Optional.ofNullable(seen.get(new Seen(table, former)));
        Optional<Columns> after = Optional.ofNullable(seen.get(new Seen(table, later)));
        return before.isPresent() && after.isPresent() && after.get().leavesRowsAsIn(before.get(), table);
    }
}
