/**
 * The definitions that are in force: kept by the writer, changed by compare-and-set, published for the processes that
 * follow them.
 *
 * <p>Read in this order: {@link dev.tidemark.writer.catalog.CatalogRegistry}, which alone changes them,
 * {@link dev.tidemark.writer.catalog.DefinitionStore}, {@link dev.tidemark.writer.catalog.DefinitionPublisher} and its
 * port {@link dev.tidemark.writer.catalog.DefinitionLog}.
 *
 * <p>Any thread may read and change the definitions; the thread {@code definitions} publishes them. A change that was
 * made from another version than the one in force is refused with
 * {@link dev.tidemark.writer.catalog.VersionMovedException}. A log that does not answer causes
 * {@link dev.tidemark.writer.catalog.LogUnavailableException}; the caller tries again.
 */
@NullMarked
package dev.tidemark.writer.catalog;

import org.jspecify.annotations.NullMarked;
