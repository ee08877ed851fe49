/**
 * Changes of a database to batches of the writer. {@link dev.tidemark.source.feed.Follower} decides where to begin,
 * {@link dev.tidemark.source.feed.Feeder} turns events into batches, {@link dev.tidemark.source.feed.MarkerAgent}
 * puts the writer's clock into the stream. Ports: {@link dev.tidemark.source.feed.Writer}, {@link
 * dev.tidemark.source.feed.Database}, {@link dev.tidemark.source.feed.Engine}.
 *
 * <p>A feeder belongs to the thread of the engine, all else to the thread that its class names.
 */
@NullMarked
package dev.tidemark.source.feed;

import org.jspecify.annotations.NullMarked;
