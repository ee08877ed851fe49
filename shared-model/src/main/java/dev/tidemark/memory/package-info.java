/**
 * How much heap a process may hold for work whose size others decide: requests, answers, records, builds. Whoever needs memory
 * for such work reserves it before allocating it, and goes without where there is none left.
 */
@NullMarked
package dev.tidemark.memory;

import org.jspecify.annotations.NullMarked;
