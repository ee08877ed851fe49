/** A writer in memory and a PostgreSQL, for tests of the source. */
@NullMarked
package dev.tidemark.source.testkit;

import org.jspecify.annotations.NullMarked;
