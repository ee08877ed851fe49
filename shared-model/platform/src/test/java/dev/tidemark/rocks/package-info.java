/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.rocks;

import org.jspecify.annotations.NullMarked;
