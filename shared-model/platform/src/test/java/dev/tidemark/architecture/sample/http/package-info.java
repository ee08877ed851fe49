/** An adapter for the test of the rules. */
@NullMarked
package dev.tidemark.architecture.sample.http;

import org.jspecify.annotations.NullMarked;
