/**
 * Applies changes to a shard.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.apply.RowPlanner} (one row: state and event to a plan),
 * {@link dev.tidemark.worker.apply.RowFold} (all events of one row in a batch),
 * {@link dev.tidemark.worker.apply.PublishedProgress} (the progress that readers see),
 * {@link dev.tidemark.worker.apply.ShardApplier} (a batch of records to one commit).
 *
 * <p>Decisions are pure: {@code RowPlanner}, {@code RowFold} and {@code PublishedProgress} have neither clock nor
 * store. {@code ShardApplier} belongs to one thread at a time; its {@code status()} is for any thread. A record that
 * cannot be applied is quarantined and becomes part of the result. An exception means that the shard could not be read
 * or written; the applier must then be discarded.
 */
@NullMarked
package dev.tidemark.worker.apply;

import org.jspecify.annotations.NullMarked;
