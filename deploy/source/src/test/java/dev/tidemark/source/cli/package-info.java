@NullMarked
package dev.tidemark.source.cli;

import org.jspecify.annotations.NullMarked;
