/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.lag;

import org.jspecify.annotations.NullMarked;
