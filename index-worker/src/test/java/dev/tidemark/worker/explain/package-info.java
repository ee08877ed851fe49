/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.explain;

import org.jspecify.annotations.NullMarked;
