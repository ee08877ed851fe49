@NullMarked
package dev.tidemark.writer.leader;

import org.jspecify.annotations.NullMarked;
