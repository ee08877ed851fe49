package dev.tidemark.catalog;

import java.util.Optional;

/**
 * A table whose rows are to come from elsewhere than now.
 *
 * @param table its name
 * @param from the source now; empty where clients write the rows
 * @param to the wanted one
 */
public record SourceChange(String table, Optional<RowSource> from, Optional<RowSource> to) {}
