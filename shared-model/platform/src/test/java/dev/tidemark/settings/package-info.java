/** Tests of settings and durations. */
@NullMarked
package dev.tidemark.settings;

import org.jspecify.annotations.NullMarked;
