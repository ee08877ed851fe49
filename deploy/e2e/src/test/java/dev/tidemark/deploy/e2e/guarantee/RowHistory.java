package dev.tidemark.deploy.e2e.guarantee;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

import dev.tidemark.deploy.oracle.Canonical;
import dev.tidemark.deploy.oracle.Fact;
import dev.tidemark.deploy.oracle.RowTimeline.Write;

/**
 * What one row can be, by what its only client was told. Several states are possible after a write whose answer was
 * lost. Used by one thread at a time.
 */
final class RowHistory {
    private static final String NO_ROW = "no row";

    private final String key;
    private final List<String> complaints = new ArrayList<>();
    private Map<String, Optional<ObjectNode>> possible = new TreeMap<>();
    private String version = "";

    RowHistory(String key) {
        this.key = key;
        add(Optional.empty(), possible);
    }

    /** A success: exactly what was asked for happened, to a row that was there, was not there, or either. */
    void acknowledged(Write write, String newVersion, Optional<Boolean> created) {
        created.ifPresent(wasAbsent -> found(!wasAbsent, "answer to " + write.kind()));
        if (!newVersion.isEmpty() && newVersion.compareTo(version) <= 0) {
            complaints.add("version " + newVersion + " after " + version);
        }
        version = newVersion.isEmpty() ? version : newVersion;
        possible = applied(write);
    }

    /** An answer that says whether the row is there. */
    void found(boolean present, String where) {
        Map<String, Optional<ObjectNode>> left = new TreeMap<>(possible);
        left.values().removeIf(row -> row.isPresent() != present);
        if (left.isEmpty()) {
            complaints.add(where + " says that there is " + (present ? "a row" : NO_ROW) + ", but it can only be "
                    + possible.keySet());
        } else {
            possible = left;
        }
    }

    /** No answer: it happened, or it did not. */
    void unknown(Write write) {
        applied(write).forEach(possible::putIfAbsent);
    }

    /**
     * What is wrong with what the fact table holds; empty when nothing is. A newer version of the same state is right:
     * the writer commits a row again behind a late record of a process that was killed.
     */
    List<String> complaintsAbout(@Nullable Fact fact) {
        List<String> all = new ArrayList<>(complaints);
        String found = fact == null ? NO_ROW : Canonical.text(fact.row());
        if (!possible.containsKey(found)) {
            all.add("found " + found + ", but it can only be " + possible.keySet());
        } else if (fact != null && fact.version().compareTo(version) < 0) {
            all.add("has version " + fact.version() + ", but " + version + " was acknowledged");
        }
        return all.stream().map(complaint -> key + ": " + complaint).toList();
    }

    private Map<String, Optional<ObjectNode>> applied(Write write) {
        Map<String, Optional<ObjectNode>> after = new TreeMap<>();
        possible.values().forEach(row -> add(write.after(row), after));
        return after;
    }

    private static void add(Optional<ObjectNode> row, Map<String, Optional<ObjectNode>> states) {
        states.put(row.map(Canonical::text).orElse(NO_ROW), row);
    }
}
