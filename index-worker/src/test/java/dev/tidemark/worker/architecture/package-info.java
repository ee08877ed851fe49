/** Tests that this module keeps the rules of the architecture. */
@NullMarked
package dev.tidemark.worker.architecture;

import org.jspecify.annotations.NullMarked;
