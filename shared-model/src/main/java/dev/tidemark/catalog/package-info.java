/**
 * The tables and indexes of one deployment.
 *
 * <p>Read {@link dev.tidemark.catalog.TableDefinition} first, then {@link dev.tidemark.catalog.Catalog}. Immutable.
 */
@NullMarked
package dev.tidemark.catalog;

import org.jspecify.annotations.NullMarked;
