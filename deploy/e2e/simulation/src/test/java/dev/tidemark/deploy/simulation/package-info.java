/**
 * The whole system in one thread: production classes of writer, relay and worker over a simulated log, with virtual
 * time and crashes between any two steps. A run is determined by its seed.
 */
@NullMarked
package dev.tidemark.deploy.simulation;

import org.jspecify.annotations.NullMarked;
