/**
 * The lifecycle states of indexes, over the shards of this process.
 *
 * <p>Read {@link dev.tidemark.worker.generation.LifecycleRule}, a pure function from the state of a generation in each
 * shard to one {@link dev.tidemark.worker.generation.LifecycleState}. Then read
 * {@link dev.tidemark.worker.generation.LifecycleStates}, which reads the shards, and
 * {@link dev.tidemark.worker.generation.OperationRule}, which operations a lifecycle state permits. The package starts
 * no threads and throws no errors.
 */
@NullMarked
package dev.tidemark.worker.generation;

import org.jspecify.annotations.NullMarked;
