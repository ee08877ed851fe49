/** Tests of what people read. */
@NullMarked
package dev.tidemark.deploy.text;

import org.jspecify.annotations.NullMarked;
