/** Tests of following the definitions. */
@NullMarked
package dev.tidemark.worker.define;

import org.jspecify.annotations.NullMarked;
