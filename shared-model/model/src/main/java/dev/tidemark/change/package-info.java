/**
 * What travels from the writer to the workers: changes of rows, and heartbeats that say how complete they are.
 *
 * <p>Read in this order: {@link dev.tidemark.change.ChangeMessage} and its kinds,
 * {@link dev.tidemark.change.ChangeCodec} (the envelope: CloudEvents headers in binary mode around a Debezium-shaped
 * JSON value), {@link dev.tidemark.change.ChangeTopic} (how the topic of a table is named and kept).
 *
 * <p>Immutable or stateless. A message that no writer sent is reported as
 * {@link dev.tidemark.change.MalformedChangeException}, which the caller must not drop silently.
 */
@NullMarked
package dev.tidemark.change;

import org.jspecify.annotations.NullMarked;
