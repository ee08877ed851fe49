/** Tests of the relay. */
@NullMarked
package dev.tidemark.writer.outbox;

import org.jspecify.annotations.NullMarked;
