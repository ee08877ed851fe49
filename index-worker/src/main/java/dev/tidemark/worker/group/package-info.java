/**
 * Which worker answers for which shard. Owners note it beside their committed offsets; {@code ShardRoutes} knows the
 * notes of all replica groups.
 */
@NullMarked
package dev.tidemark.worker.group;

import org.jspecify.annotations.NullMarked;
