/** Tests of advice: rules by sentence, the walk over entries, and the counters. */
@NullMarked
package dev.tidemark.worker.advise;

import org.jspecify.annotations.NullMarked;
