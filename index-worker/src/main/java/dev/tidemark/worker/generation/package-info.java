/**
 * The lifecycle states of indexes, over the shards of this process or of a replica group.
 *
 * <p>Read {@link dev.tidemark.worker.generation.LifecycleRule}, a pure function from what each shard says of a
 * generation, {@link dev.tidemark.worker.generation.ShardLife}, to one
 * {@link dev.tidemark.worker.generation.LifecycleState}. Then read
 * {@link dev.tidemark.worker.generation.LifecycleStates}, which reads the shards here, and
 * {@link dev.tidemark.worker.generation.OperationRule}, which operations a lifecycle state permits. The package starts
 * no threads and throws no errors.
 */
@NullMarked
package dev.tidemark.worker.generation;

import org.jspecify.annotations.NullMarked;
