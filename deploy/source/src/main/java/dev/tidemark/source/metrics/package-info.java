/** What a source shows to Prometheus. */
@NullMarked
package dev.tidemark.source.metrics;

import org.jspecify.annotations.NullMarked;
