/** What a writer needs of the database that holds its fact tables, whichever one that is. */
@NullMarked
package dev.tidemark.writer.database;

import org.jspecify.annotations.NullMarked;
