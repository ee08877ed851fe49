/**
 * How much heap a process may hold for work whose size others decide: requests, answers, records, builds. Such work
 * reserves memory before allocating it, and does without where none is left.
 */
@NullMarked
package dev.tidemark.memory;

import org.jspecify.annotations.NullMarked;
