/**
 * What a value of PostgreSQL is as JSON. {@link dev.tidemark.source.value.ColumnType} decides by the type of its
 * column; what has no counterpart in JSON is the text that PostgreSQL shows.
 *
 * <p>Pure functions, for any thread.
 */
@NullMarked
package dev.tidemark.source.value;

import org.jspecify.annotations.NullMarked;
