/** Tests of looking through files. */
@NullMarked
package dev.tidemark.scrub;

import org.jspecify.annotations.NullMarked;
