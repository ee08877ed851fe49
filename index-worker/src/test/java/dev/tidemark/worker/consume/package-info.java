/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.consume;

import org.jspecify.annotations.NullMarked;
