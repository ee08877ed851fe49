/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.runtime;

import org.jspecify.annotations.NullMarked;
