/**
 * The tables and indexes of one deployment.
 *
 * <p>Read {@link dev.tidemark.catalog.TableDefinition} first, then {@link dev.tidemark.catalog.Catalog}, then
 * {@link dev.tidemark.catalog.CatalogReader}, which reads them from YAML with one small reader per part of the file.
 * {@link dev.tidemark.catalog.DefinitionJson} writes a definition as JSON, and
 * {@link dev.tidemark.catalog.DefinitionText} as text that is equal exactly when the definition is.
 *
 * <p>{@link dev.tidemark.catalog.Definitions} is a catalog that changes while it is in use: versioned, with a
 * {@link dev.tidemark.catalog.Generation} for every definition that an index has or had before. Read
 * {@link dev.tidemark.catalog.DesiredIndex} and {@link dev.tidemark.catalog.IndexOperation} with it;
 * {@link dev.tidemark.catalog.DefinitionsJson} is its form on disk and in
 * {@link dev.tidemark.catalog.DefinitionsTopic}.
 *
 * <p>Definitions are immutable; a reader belongs to the thread that uses it. A file that cannot be used is reported as
 * {@link dev.tidemark.catalog.CatalogException} with all of its problems, a key that a table cannot have as
 * {@link dev.tidemark.catalog.BadKeyException}, bytes that are no definitions as
 * {@link dev.tidemark.catalog.BadDefinitionsException}, and an order without ground as
 * {@link dev.tidemark.catalog.OperationRefusedException}.
 */
@NullMarked
package dev.tidemark.catalog;

import org.jspecify.annotations.NullMarked;
