/** Tests of proving indexes equal to their tables. */
@NullMarked
package dev.tidemark.worker.verify;

import org.jspecify.annotations.NullMarked;
