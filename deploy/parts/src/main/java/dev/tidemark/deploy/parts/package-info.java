/**
 * What each part of a change costs by itself, by JMH: {@link dev.tidemark.deploy.parts.Parts} has the benchmarks, {@link
 * dev.tidemark.deploy.parts.Sample} what they are given.
 */
@NullMarked
package dev.tidemark.deploy.parts;

import org.jspecify.annotations.NullMarked;
