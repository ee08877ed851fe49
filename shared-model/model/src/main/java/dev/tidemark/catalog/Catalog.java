package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

import dev.tidemark.index.IndexDefinition;

/** All tables of a deployment, in the order of the catalog file. */
public final class Catalog {
    private final Map<String, TableDefinition> tables = new LinkedHashMap<>();

    /** By bare name, and by {@code table.index}. */
    private final Map<String, List<IndexDefinition>> named = new HashMap<>();

    public Catalog(Collection<TableDefinition> tables) {
        for (TableDefinition table : tables) {
            if (this.tables.put(table.name(), table) != null) {
                throw new IllegalArgumentException("Expected each table once, but " + table.name() + " is there twice");
            }
        }
        for (IndexDefinition index : indexes()) {
            for (String name : List.of(index.name(), index.qualifiedName())) {
                named.computeIfAbsent(name, first -> new ArrayList<>()).add(index);
            }
        }
    }

    public List<TableDefinition> tables() {
        return List.copyOf(tables.values());
    }

    public Optional<TableDefinition> table(String name) {
        return Optional.ofNullable(tables.get(name));
    }

    public List<IndexDefinition> indexes() {
        return tables.values().stream()
                .flatMap(table -> table.indexes().stream())
                .toList();
    }

    /**
     * The indexes that a user can mean by a name: the one written {@code table.index}, or all of that bare name. More
     * than one result means that the bare name is not enough.
     */
    public List<IndexDefinition> indexesNamed(String name) {
        return Collections.unmodifiableList(named.getOrDefault(name, List.of()));
    }

    /** The shortest name that means this index: bare where it is unique, {@code table.index} otherwise. */
    public String publicName(IndexDefinition index) {
        return indexesNamed(index.name()).size() == 1 ? index.name() : index.qualifiedName();
    }
}
