/** Tests of watermarks, tokens and offset notes. */
@NullMarked
package dev.tidemark.progress;

import org.jspecify.annotations.NullMarked;
