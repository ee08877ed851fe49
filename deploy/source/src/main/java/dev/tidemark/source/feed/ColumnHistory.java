package dev.tidemark.source.feed;

import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** The columns that this process has seen, by their digest. For any thread. */
public final class ColumnHistory {
    private final Map<String, Columns> seen = new ConcurrentHashMap<>();

    /** Keeps columns, and returns their digest. */
    String add(Columns columns) {
        String digest = columns.digest();
        seen.put(digest, columns);
        return digest;
    }

    /** Whether rows that were read under the former columns look the same under the later ones. */
    boolean leavesRows(String former, String later) {
        if (former.equals(later)) {
            return true;
        }
        Optional<Columns> before = Optional.ofNullable(seen.get(former));
        Optional<Columns> after = Optional.ofNullable(seen.get(later));
        return before.isPresent() && after.isPresent() && after.get().leavesRowsAsIn(before.get());
    }
}
