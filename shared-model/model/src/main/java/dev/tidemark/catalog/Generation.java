package dev.tidemark.catalog;

import java.util.List;

import dev.tidemark.index.IndexDefinition;

/**
 * One build of an index definition, with a number that is never reused. An index that is changed, or dropped and
 * created again, gets another number. Work meant for the earlier generation therefore never changes the later one.
 *
 * @param id from 1; assigned once among all indexes of a deployment, and never again
 */
public record Generation(long id, IndexDefinition definition) {

    public Generation {
        if (id < 1) {
            throw new IllegalArgumentException(
                    "Expected generations of " + definition.qualifiedName() + " from 1, but got " + id);
        }
    }

    /** The table whose shards hold this generation of an index of a table: the table itself, or a derived one. */
    public TableDefinition home(TableDefinition table) {
        if (!definition.isGlobal() || DerivedTable.of(table.name()).isPresent()) {
            return table;
        }
        IndexDefinition own = definition.of(DerivedTable.of(this).name());
        return new TableDefinition(own.table(), table.primaryKey(), own.partitions(), List.of(own), table.source());
    }

    /** Whether this generation is of such a definition: equal when they mean the same, however they were written. */
    public boolean means(IndexDefinition other) {
        return DefinitionText.of(definition).equals(DefinitionText.of(other));
    }
}
