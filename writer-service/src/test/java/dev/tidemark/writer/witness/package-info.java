/** Tests of the witness. */
@NullMarked
package dev.tidemark.writer.witness;

import org.jspecify.annotations.NullMarked;
