/** Tests of tables, their keys, and the catalog file. */
@NullMarked
package dev.tidemark.catalog;

import org.jspecify.annotations.NullMarked;
