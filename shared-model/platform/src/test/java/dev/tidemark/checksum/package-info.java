/** Tests of looking through files. */
@NullMarked
package dev.tidemark.checksum;

import org.jspecify.annotations.NullMarked;
