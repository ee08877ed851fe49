/**
 * Where an index is in its life, over the shards of this process.
 *
 * <p>Read {@link dev.tidemark.worker.life.LifeRule}, a pure function from what each shard says of a generation to one
 * {@link dev.tidemark.worker.life.Life}, then {@link dev.tidemark.worker.life.Lives}, which asks the shards, and
 * {@link dev.tidemark.worker.life.OrderRule}, which orders a life admits. No threads of its own, no errors.
 */
@NullMarked
package dev.tidemark.worker.life;

import org.jspecify.annotations.NullMarked;
