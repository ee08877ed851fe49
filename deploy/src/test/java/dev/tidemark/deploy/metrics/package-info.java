/** Tests of what people read. */
@NullMarked
package dev.tidemark.deploy.metrics;

import org.jspecify.annotations.NullMarked;
