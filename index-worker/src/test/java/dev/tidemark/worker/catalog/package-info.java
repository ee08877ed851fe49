/** Tests of following the definitions. */
@NullMarked
package dev.tidemark.worker.catalog;

import org.jspecify.annotations.NullMarked;
