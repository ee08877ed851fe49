@NullMarked
package dev.tidemark.source.architecture;

import org.jspecify.annotations.NullMarked;
