/**
 * Tests of what a drill does to processes, without processes.
 */
@NullMarked
package dev.tidemark.deploy.drill.fault;

import org.jspecify.annotations.NullMarked;
