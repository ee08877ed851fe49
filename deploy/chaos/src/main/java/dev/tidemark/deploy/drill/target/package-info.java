/**
 * The outside as the drill needs it: {@link dev.tidemark.deploy.drill.target.DrillTarget} sends requests to the
 * services, and {@link dev.tidemark.deploy.drill.target.TopicTamper} writes into change topics without them. Any thread
 * may call the first, one at a time the second.
 */
@NullMarked
package dev.tidemark.deploy.drill.target;

import org.jspecify.annotations.NullMarked;
