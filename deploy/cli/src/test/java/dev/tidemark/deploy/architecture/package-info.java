/** Tests that this module keeps the rules of the architecture. */
@NullMarked
package dev.tidemark.deploy.architecture;

import org.jspecify.annotations.NullMarked;
