/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.receipt;

import org.jspecify.annotations.NullMarked;
