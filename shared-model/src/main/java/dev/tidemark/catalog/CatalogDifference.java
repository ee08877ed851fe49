package dev.tidemark.catalog;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

import dev.tidemark.index.IndexDefinition;

/** How a catalog differs from the definitions in force. */
final class CatalogDifference {
    private CatalogDifference() {}

    static List<IndexChange> changes(Definitions present, Catalog wanted) {
        List<IndexChange> changes = new ArrayList<>();
        for (IndexDefinition index : wanted.indexes()) {
            Optional<Generation> current =
                    present.index(index.table(), index.name()).map(DesiredIndex::current);
            if (current.isEmpty()) {
                changes.add(new IndexChange.Create(index));
            } else if (!current.get().means(index)) {
                changes.add(new IndexChange.Change(current.get().definition(), index));
            }
        }
        for (IndexDefinition index : present.catalog().indexes()) {
            if (wanted.table(index.table())
                    .flatMap(table -> table.index(index.name()))
                    .isEmpty()) {
                changes.add(new IndexChange.Drop(index));
            }
        }
        return changes;
    }

    static List<String> foreign(Definitions present, Catalog wanted) {
        List<String> reasons = new ArrayList<>();
        for (DesiredTable table : present.tables()) {
            wanted.table(table.name())
                    .ifPresentOrElse(
                            other -> reasons.addAll(foreign(table.definition(), other)),
                            () -> reasons.addAll(left(table)));
        }
        for (TableDefinition table : wanted.tables()) {
            if (present.table(table.name()).isEmpty()) {
                reasons.add(
                        "table " + table.name() + " is new; a new table comes into force when the writer starts with"
                                + " a catalog file that has it");
            }
        }
        return reasons;
    }

    /**
     * Reports a table that the catalog lacks while the table still has indexes. Otherwise one forgotten table would
     * drop all its indexes.
     */
    private static List<String> left(DesiredTable table) {
        List<String> names =
                table.definition().indexes().stream().map(IndexDefinition::name).toList();
        return names.isEmpty()
                ? List.of()
                : List.of("table " + table.name() + " is in force, but the catalog does not have it; drop its indexes "
                        + String.join(", ", names) + " first, and then leave the table out");
    }

    static List<String> leaving(Definitions present, Catalog wanted) {
        return present.tables().stream()
                .map(DesiredTable::name)
                .filter(name -> wanted.table(name).isEmpty())
                .toList();
    }

    private static List<String> foreign(TableDefinition table, TableDefinition wanted) {
        List<String> reasons = new ArrayList<>();
        if (!wanted.primaryKey().equals(table.primaryKey())) {
            reasons.add("table " + table.name() + " has the primary key " + table.primaryKey()
                    + ", which cannot become " + wanted.primaryKey());
        }
        if (wanted.partitions() != table.partitions()) {
            reasons.add("table " + table.name() + " has " + table.partitions() + " partitions, which cannot become "
                    + wanted.partitions());
        }
        return reasons;
    }
}
