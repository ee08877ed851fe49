/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker.build;

import org.jspecify.annotations.NullMarked;
