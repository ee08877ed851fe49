/**
 * Following the definitions that the writer publishes.
 *
 * <p>Read {@link dev.tidemark.worker.define.FollowedDefinitions} first, then
 * {@link dev.tidemark.worker.define.DefinitionAgent} and its port {@link dev.tidemark.worker.define.DefinitionSource}.
 *
 * <p>The thread {@code definitions} reads the source; any thread asks what is in force. Until the source has been read to
 * its end once, there are no tables, so that nothing is opened or dropped by definitions that are out of date already. A
 * source that fails is asked again, and what was known stays in force.
 */
@NullMarked
package dev.tidemark.worker.define;

import org.jspecify.annotations.NullMarked;
