/** Tests of the fact tables in PostgreSQL, on servers of their own. */
@NullMarked
package dev.tidemark.writer.postgres;

import org.jspecify.annotations.NullMarked;
