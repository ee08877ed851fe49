/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.metrics;

import org.jspecify.annotations.NullMarked;
