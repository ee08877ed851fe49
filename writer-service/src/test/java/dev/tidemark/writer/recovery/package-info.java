/** Tests of the witness. */
@NullMarked
package dev.tidemark.writer.recovery;

import org.jspecify.annotations.NullMarked;
