/** Tests of copies. */
@NullMarked
package dev.tidemark.backup;

import org.jspecify.annotations.NullMarked;
