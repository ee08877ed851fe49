/**
 * Follows the definitions that the writer publishes.
 *
 * <p>Read {@link dev.tidemark.worker.catalog.FollowedDefinitions} first, then
 * {@link dev.tidemark.worker.catalog.DefinitionAgent} and its ports
 * {@link dev.tidemark.worker.catalog.DefinitionSource} (the topic) and
 * {@link dev.tidemark.worker.catalog.WriterDefinitions} (the writer, whose answer counts).
 *
 * <p>The thread {@code definitions} reads the source and queries the writer; any thread reads what is in force. Until
 * the writer has answered for the first time in the life of a data directory, there are no tables. A source or a writer
 * that fails is queried again, and the known definitions stay in force.
 */
@NullMarked
package dev.tidemark.worker.catalog;

import org.jspecify.annotations.NullMarked;
