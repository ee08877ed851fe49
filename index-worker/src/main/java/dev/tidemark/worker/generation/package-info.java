/**
 * Where an index is in its life, over the shards of this process.
 *
 * <p>Read {@link dev.tidemark.worker.generation.LifecycleRule}, a pure function from what each shard says of a generation to one
 * {@link dev.tidemark.worker.generation.LifecycleState}, then {@link dev.tidemark.worker.generation.LifecycleStates}, which asks the shards, and
 * {@link dev.tidemark.worker.generation.OperationRule}, which orders a life admits. No threads of its own, no errors.
 */
@NullMarked
package dev.tidemark.worker.generation;

import org.jspecify.annotations.NullMarked;
