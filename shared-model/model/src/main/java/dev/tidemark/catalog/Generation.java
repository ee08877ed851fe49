package dev.tidemark.catalog;

import java.util.List;
import java.util.Optional;

import dev.tidemark.index.IndexDefinition;

/**
 * One build of an index definition, with a number that is never reused. An index that is changed, or dropped and
 * created again, gets another number. Work meant for the earlier generation therefore never changes the later one.
 *
 * @param id from 1; assigned once among all indexes of a deployment, and never again
 * @param layout of the table that its entries are partitioned by; empty for a global index, and for the partitions that
 *     the table began with
 */
public record Generation(long id, IndexDefinition definition, Optional<Layout> layout) {

    public Generation {
        if (id < 1) {
            throw new IllegalArgumentException(
                    "Expected generations of " + definition.qualifiedName() + " from 1, but got " + id);
        }
        if (layout.isPresent() && definition.isGlobal()) {
            throw new IllegalArgumentException(
                    "Expected no layout for global index " + definition.qualifiedName() + ", but got " + layout.get());
        }
    }

    /** A generation of a global index, or in the partitions that its table began with. */
    public Generation(long id, IndexDefinition definition) {
        this(id, definition, Optional.empty());
    }

    /** Whether its shards are those of a {@link DerivedTable}. */
    public boolean isDerived() {
        return definition.isGlobal() || layout.isPresent();
    }

    /** The same as the table of that name has it. */
    Generation of(String table) {
        return definition.table().equals(table) ? this : new Generation(id, definition.of(table), layout);
    }

    /** The table whose shards hold this generation of an index of a table: the table itself, or a derived one. */
    public TableDefinition home(TableDefinition table) {
        if (!isDerived() || DerivedTable.is(table.name())) {
            return table;
        }
        IndexDefinition own = definition.of(DerivedTable.of(this).name());
        return new TableDefinition(own.table(), table.primaryKey(), partitions(table), List.of(own), table.source());
    }

    /** The partitions that hold it, where its table began with those of the definition. */
    public int partitions(TableDefinition table) {
        return definition.isGlobal()
                ? definition.partitions()
                : layout.map(Layout::partitions).orElse(table.partitions());
    }

    /** Whether this generation is of such a definition: equal when they mean the same, however they were written. */
    public boolean means(IndexDefinition other) {
        return DefinitionText.of(definition).equals(DefinitionText.of(other));
    }
}
