/** Tests of where an index is in its life. */
@NullMarked
package dev.tidemark.worker.generation;

import org.jspecify.annotations.NullMarked;
