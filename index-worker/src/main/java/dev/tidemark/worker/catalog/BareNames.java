package dev.tidemark.worker.catalog;

import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.index.IndexDefinition;

/**
 * The table whose index each bare name meant first, including names of removed indexes. A scope with a bare name
 * belongs to that table for good.
 *
 * @param tables the table, by bare name of an index
 */
public record BareNames(Map<String, String> tables) {
    /** No name has meant anything yet. */
    public static final BareNames NONE = new BareNames(Map.of());

    public BareNames {
        tables = Collections.unmodifiableMap(new TreeMap<>(tables));
    }

    /** The same names, and those that mean one index of a catalog and have meant none before. */
    public BareNames with(Catalog catalog) {
        Map<String, String> more = new TreeMap<>(tables);
        for (IndexDefinition index : catalog.indexes()) {
            if (catalog.indexesNamed(index.name()).size() == 1) {
                more.putIfAbsent(index.name(), index.table());
            }
        }
        return new BareNames(more);
    }

    /** The table whose index a name meant first; empty where it has meant none. */
    public Optional<String> table(String name) {
        return Optional.ofNullable(tables.get(name));
    }
}
