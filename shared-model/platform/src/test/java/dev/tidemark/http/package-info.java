/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.http;

import org.jspecify.annotations.NullMarked;
