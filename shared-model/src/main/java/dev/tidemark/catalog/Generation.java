package dev.tidemark.catalog;

import dev.tidemark.index.IndexDefinition;

/**
 * One definition of an index under a number of its own. An index that is changed, or dropped and made again, gets another
 * number, so that work meant for the earlier one can never touch the later one.
 *
 * @param id from 1; given once among all indexes of a deployment, and never again
 */
public record Generation(long id, IndexDefinition definition) {

    public Generation {
        if (id < 1) {
            throw new IllegalArgumentException(
                    "Expected generations of " + definition.qualifiedName() + " from 1, but got " + id);
        }
    }

    /** Whether this generation is of such a definition: equal when they mean the same, however they were written. */
    public boolean means(IndexDefinition other) {
        return DefinitionText.of(definition).equals(DefinitionText.of(other));
    }
}
