/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.copy;

import org.jspecify.annotations.NullMarked;
