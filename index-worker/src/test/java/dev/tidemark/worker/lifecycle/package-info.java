/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.lifecycle;

import org.jspecify.annotations.NullMarked;
