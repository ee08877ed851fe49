/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.store;

import org.jspecify.annotations.NullMarked;
