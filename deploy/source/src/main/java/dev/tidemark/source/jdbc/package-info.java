/** One connection to a database, and its rows. */
@NullMarked
package dev.tidemark.source.jdbc;

import org.jspecify.annotations.NullMarked;
