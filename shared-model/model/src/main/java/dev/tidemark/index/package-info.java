/**
 * What an index table is, and which entries a row has in it.
 *
 * <p>Read in this order: {@link dev.tidemark.index.IndexDefinition} with {@link dev.tidemark.index.KeyPart},
 * {@link dev.tidemark.index.Projection} and {@link dev.tidemark.index.RowFilter}; then
 * {@link dev.tidemark.index.EntryDeriver}, the pure function from a row to its entries that the writer uses to refuse
 * what cannot be indexed and the worker to maintain the index; {@link dev.tidemark.index.Absence} says why there are
 * none.
 *
 * <p>Everything is immutable or stateless. A row that an index cannot hold is reported as
 * {@link dev.tidemark.index.UnindexableRowException}, naming the index and the reason.
 */
@NullMarked
package dev.tidemark.index;

import org.jspecify.annotations.NullMarked;
