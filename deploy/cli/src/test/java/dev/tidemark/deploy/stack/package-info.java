/** Tests of child processes and ports, with children that any machine has. */
@NullMarked
package dev.tidemark.deploy.stack;

import org.jspecify.annotations.NullMarked;
