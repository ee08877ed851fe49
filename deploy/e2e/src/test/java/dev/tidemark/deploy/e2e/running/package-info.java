/**
 * Stacks of real processes for the suites.
 */
@NullMarked
package dev.tidemark.deploy.e2e.running;

import org.jspecify.annotations.NullMarked;
