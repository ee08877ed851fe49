/** The command {@code tidemark source}: options, settings, and what people see. */
@NullMarked
package dev.tidemark.source.cli;

import org.jspecify.annotations.NullMarked;
