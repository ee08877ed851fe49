/** Tests of what needs no broker. */
@NullMarked
package dev.tidemark.writer.kafka;

import org.jspecify.annotations.NullMarked;
