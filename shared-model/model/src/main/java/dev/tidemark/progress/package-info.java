/**
 * Progress: what a shard has applied, what a token requires, and what a worker records with its committed offsets.
 *
 * <p>Read {@link dev.tidemark.progress.Progress} first: it is the one definition of "complete up to" that the metric,
 * the answers and the tokens share. Everything is immutable.
 */
@NullMarked
package dev.tidemark.progress;

import org.jspecify.annotations.NullMarked;
