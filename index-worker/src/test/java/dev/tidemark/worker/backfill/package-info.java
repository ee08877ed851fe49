/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.backfill;

import org.jspecify.annotations.NullMarked;
