package dev.tidemark.worker.apply;

import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;

import dev.tidemark.key.KeyBytes;
import dev.tidemark.row.RowDocument;
import dev.tidemark.row.RowVersion;

/**
 * A row whose entries are replaced by those that its fact table implies, regardless of the present entries.
 *
 * @param fact the row in the fact table; empty when the table has no such row
 * @param asOf the fact includes every change up to this version
 * @param seen entries of the row that were found, by generation, as whole keys; right or wrong
 * @param foreign a version of the row that the writer, queried after the version was found, had never assigned; the row
 *     is repaired even if the shard knows it in this version
 */
public record RowRepair(
        KeyBytes primaryKey,
        Optional<Fact> fact,
        RowVersion asOf,
        SortedMap<Long, Set<KeyBytes>> seen,
        Optional<RowVersion> foreign) {
    /** A row and its version. */
    public record Fact(RowVersion version, RowDocument row) {}

    /** The same with what was seen in other generations; the later of both facts. */
    public RowRepair and(RowRepair other) {
        SortedMap<Long, Set<KeyBytes>> all = new TreeMap<>(seen);
        for (Map.Entry<Long, Set<KeyBytes>> more : other.seen.entrySet()) {
            Set<KeyBytes> together = new TreeSet<>(all.getOrDefault(more.getKey(), Set.of()));
            together.addAll(more.getValue());
            all.put(more.getKey(), together);
        }
        RowRepair later = other.asOf.isAfter(asOf) ? other : this;
        return new RowRepair(primaryKey, later.fact, later.asOf, all, foreign.or(other::foreign));
    }

    /** Whether what is known of the row, in that version, is newer than this and true. */
    boolean isOlderThan(RowVersion known) {
        return known.isAfter(version()) && !foreign.equals(Optional.of(known));
    }

    /** The version that the row has by this. */
    RowVersion version() {
        return fact.map(Fact::version).orElse(asOf);
    }
}
