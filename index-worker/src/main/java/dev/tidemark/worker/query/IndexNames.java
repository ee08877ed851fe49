package dev.tidemark.worker.query;

import java.util.List;

import dev.tidemark.catalog.Catalog;
import dev.tidemark.catalog.TableDefinition;
import dev.tidemark.index.IndexDefinition;

/** Finds the index that a name means. */
public final class IndexNames {
    private final Catalog catalog;

    public IndexNames(Catalog catalog) {
        this.catalog = catalog;
    }

    /** An index and its place in its table. */
    public record Found(TableDefinition table, int position) {
        public IndexDefinition definition() {
            return table.indexes().get(position);
        }
    }

    /**
     * The index of that name, bare or as {@code table.index}.
     *
     * @throws BadQueryException when several have it
     * @throws UnknownIndexException when none has
     */
    public Found find(String name) throws BadQueryException, UnknownIndexException {
        List<IndexDefinition> named = catalog.indexesNamed(name);
        if (named.isEmpty()) {
            throw new UnknownIndexException(
                    "expected one of the indexes " + String.join(", ", names(catalog.indexes())) + ", but got " + name);
        }
        if (named.size() > 1) {
            throw new BadQueryException("expected an index, but several tables have one named " + name + "; write "
                    + String.join(" or ", names(named)));
        }
        IndexDefinition index = named.get(0);
        TableDefinition table = catalog.table(index.table())
                .orElseThrow(() -> new IllegalStateException("Expected the table of " + index.qualifiedName()));
        return new Found(table, table.indexes().indexOf(index));
    }

    /** The shortest name that means this index. */
    public String publicName(IndexDefinition index) {
        return catalog.publicName(index);
    }

    private List<String> names(List<IndexDefinition> indexes) {
        return indexes.stream().map(catalog::publicName).toList();
    }
}
