/**
 * The tables and indexes of one deployment.
 *
 * <p>Read {@link dev.tidemark.catalog.TableDefinition} first, then {@link dev.tidemark.catalog.Catalog}, then
 * {@link dev.tidemark.catalog.CatalogReader}, which reads them from YAML with one small reader per part of the file.
 * {@link dev.tidemark.catalog.DefinitionJson} writes a definition as JSON, and
 * {@link dev.tidemark.catalog.DefinitionText} as text that is equal exactly when the definition is.
 *
 * <p>Definitions are immutable; a reader belongs to the thread that uses it. A file that cannot be used is reported as
 * {@link dev.tidemark.catalog.CatalogException} with all of its problems, a key that a table cannot have as
 * {@link dev.tidemark.catalog.BadKeyException}.
 */
@NullMarked
package dev.tidemark.catalog;

import org.jspecify.annotations.NullMarked;
