/** Tests of the definitions in force. */
@NullMarked
package dev.tidemark.writer.catalog;

import org.jspecify.annotations.NullMarked;
