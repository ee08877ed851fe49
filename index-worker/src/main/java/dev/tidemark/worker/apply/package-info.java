/**
 * From changes to mutations of a shard.
 *
 * <p>Read in this order: {@link dev.tidemark.worker.apply.RowPlanner} (one row: state and event to a plan),
 * {@link dev.tidemark.worker.apply.RowFold} (all events of one row in a batch), {@link
 * dev.tidemark.worker.apply.PublishedProgress} (what readers may be told), {@link
 * dev.tidemark.worker.apply.ShardApplier} (a batch of records to one commit).
 *
 * <p>Deciding is pure: planner, fold and gate have neither clock nor store. {@code ShardApplier} belongs to one thread
 * at a time; its {@code status()} is for any. A record that cannot be applied is a poison and becomes part of the result;
 * an exception means that the shard could not be read or written, and that the applier must be thrown away.
 */
@NullMarked
package dev.tidemark.worker.apply;

import org.jspecify.annotations.NullMarked;
