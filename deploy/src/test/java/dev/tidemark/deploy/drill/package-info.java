/**
 * A drill of a few rounds over a real stack.
 */
@NullMarked
package dev.tidemark.deploy.drill;

import org.jspecify.annotations.NullMarked;
