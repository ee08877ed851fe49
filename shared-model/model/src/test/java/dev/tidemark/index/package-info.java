/** Tests of how entries are derived from rows. */
@NullMarked
package dev.tidemark.index;

import org.jspecify.annotations.NullMarked;
