/** An adapter for the test of the rules. */
@NullMarked
package dev.tidemark.architecture.sample.kafka;

import org.jspecify.annotations.NullMarked;
