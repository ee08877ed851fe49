/**
 * What each part of a change costs by itself, by JMH: {@link dev.tidemark.deploy.jmh.ChangeCost} has the benchmarks,
 * {@link dev.tidemark.deploy.jmh.SampleChange} what they are given.
 */
@NullMarked
package dev.tidemark.deploy.jmh;

import org.jspecify.annotations.NullMarked;
