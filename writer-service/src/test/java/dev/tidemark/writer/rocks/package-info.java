/** Tests of the database. */
@NullMarked
package dev.tidemark.writer.rocks;

import org.jspecify.annotations.NullMarked;
