/**
 * Tests of the places at which a worker can be made to end.
 */
@NullMarked
package dev.tidemark.worker.failpoint;

import org.jspecify.annotations.NullMarked;
