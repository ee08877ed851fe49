/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.query;

import org.jspecify.annotations.NullMarked;
