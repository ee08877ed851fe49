package dev.tidemark.writer.rocks;

import dev.tidemark.catalog.TableDefinition;

/**
 * A table as it was when it was first seen.
 *
 * @param id stands for its name in the database
 * @param definition without indexes, which are not the writer's to keep
 */
record StoredTable(int id, TableDefinition definition) {
    String name() {
        return definition.name();
    }
}
