@NullMarked
package dev.tidemark.metrics;

import org.jspecify.annotations.NullMarked;
