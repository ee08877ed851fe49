/** Tests that the sources of the project keep the rules of the architecture. */
@NullMarked
package dev.tidemark.architecture;

import org.jspecify.annotations.NullMarked;
