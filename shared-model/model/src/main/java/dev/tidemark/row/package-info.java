/**
 * Rows as users write them: JSON objects, the fields inside them, and the version the writer gives each of them.
 *
 * <p>Read in this order: {@link dev.tidemark.row.RowJson} (what is accepted as a row),
 * {@link dev.tidemark.row.FieldPath} and {@link dev.tidemark.row.FieldValue} (what an index can see of it),
 * {@link dev.tidemark.row.RowVersion} (which of two states of a row is the newer one).
 *
 * <p>Everything here is immutable or stateless and free for use by any thread. Bad input is reported as
 * {@link dev.tidemark.row.BadJsonException} or {@link dev.tidemark.row.UnindexableValueException}, both with a message
 * fit for the user who sent it; the package never logs.
 */
@NullMarked
package dev.tidemark.row;

import org.jspecify.annotations.NullMarked;
