/** Tests of rows, values and versions. */
@NullMarked
package dev.tidemark.row;

import org.jspecify.annotations.NullMarked;
