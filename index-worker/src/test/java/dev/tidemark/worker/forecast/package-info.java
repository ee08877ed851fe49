/** Tests of rehearsals: sample, counts and forecast as pure functions, and the agent over a topic in memory. */
@NullMarked
package dev.tidemark.worker.forecast;

import org.jspecify.annotations.NullMarked;
