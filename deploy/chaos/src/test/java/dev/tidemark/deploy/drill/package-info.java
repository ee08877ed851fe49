/**
 * Tests of what a drill does to processes, without processes.
 */
@NullMarked
package dev.tidemark.deploy.drill;

import org.jspecify.annotations.NullMarked;
