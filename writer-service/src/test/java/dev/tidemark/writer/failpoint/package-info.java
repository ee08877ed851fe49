/**
 * Tests of the places at which a writer can be made to end.
 */
@NullMarked
package dev.tidemark.writer.failpoint;

import org.jspecify.annotations.NullMarked;
