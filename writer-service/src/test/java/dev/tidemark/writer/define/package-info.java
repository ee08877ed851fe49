/** Tests of the definitions in force. */
@NullMarked
package dev.tidemark.writer.define;

import org.jspecify.annotations.NullMarked;
