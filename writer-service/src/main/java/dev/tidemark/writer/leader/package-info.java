/**
 * Which writer of a deployment is the one that publishes. Each process claims that in the topic of definitions, whose
 * one partition puts claims in one order: the last one holds. A process that sees a later claim of another stops for
 * good; a process that finds the claim of another with another data directory waits until that one is silent.
 */
@NullMarked
package dev.tidemark.writer.leader;

import org.jspecify.annotations.NullMarked;
