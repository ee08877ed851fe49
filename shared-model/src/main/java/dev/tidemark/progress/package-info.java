/**
 * How far things are: what a shard has applied, what a token asks for, what a worker tells the world.
 *
 * <p>Read {@link dev.tidemark.progress.Progress} first: it is the one definition of "complete up to" that the metric, the
 * answers and the tokens share. Everything is immutable.
 */
@NullMarked
package dev.tidemark.progress;

import org.jspecify.annotations.NullMarked;
