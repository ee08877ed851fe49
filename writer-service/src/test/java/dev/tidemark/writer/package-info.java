/** Tests of settings and wiring. */
@NullMarked
package dev.tidemark.writer;

import org.jspecify.annotations.NullMarked;
