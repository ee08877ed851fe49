/** Tests of the meters. */
@NullMarked
package dev.tidemark.writer.metrics;

import org.jspecify.annotations.NullMarked;
