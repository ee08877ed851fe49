/**
 * The outside as the drill needs it: {@link dev.tidemark.deploy.drill.target.DrillTarget} is the public interface of
 * the services, which returns an answer of any status; {@link dev.tidemark.deploy.drill.target.TopicTamper} writes into
 * change topics without the services. Any thread may call the first, one at a time the second.
 */
@NullMarked
package dev.tidemark.deploy.drill.target;

import org.jspecify.annotations.NullMarked;
