/** Tests of answers as records. */
@NullMarked
package dev.tidemark.api;

import org.jspecify.annotations.NullMarked;
