/** Tests of the calls, over HTTP. */
@NullMarked
package dev.tidemark.writer.http;

import org.jspecify.annotations.NullMarked;
