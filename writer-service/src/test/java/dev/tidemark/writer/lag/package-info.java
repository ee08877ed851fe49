/** Tests of the freshness watch. */
@NullMarked
package dev.tidemark.writer.lag;

import org.jspecify.annotations.NullMarked;
