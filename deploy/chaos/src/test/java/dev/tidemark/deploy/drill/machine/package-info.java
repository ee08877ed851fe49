/** Tests of what a drill does to its machine. */
@NullMarked
package dev.tidemark.deploy.drill.machine;

import org.jspecify.annotations.NullMarked;
