@NullMarked
package dev.tidemark.source;

import org.jspecify.annotations.NullMarked;
