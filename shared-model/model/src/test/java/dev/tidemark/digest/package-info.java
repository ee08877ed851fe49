/** Tests of digests. */
@NullMarked
package dev.tidemark.digest;

import org.jspecify.annotations.NullMarked;
