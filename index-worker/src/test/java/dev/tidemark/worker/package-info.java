/** Tests of the package of the same name. */
@NullMarked
package dev.tidemark.worker;

import org.jspecify.annotations.NullMarked;
