/** Tests of the stream of facts. */
@NullMarked
package dev.tidemark.facts;

import org.jspecify.annotations.NullMarked;
